package dev.penstock.jdbc;

import java.io.ByteArrayOutputStream;
import java.math.BigDecimal;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.ObjectWriteContext;
import tools.jackson.core.json.JsonFactory;

/** Writes a {@link JdbcAnswer} as JSON, in UTF-8, without an intermediate tree. */
final class AnswerJson {
    private static final JsonFactory FACTORY = new JsonFactory();

    private AnswerJson() {}

    static byte[] of(JdbcAnswer answer) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (JsonGenerator json = FACTORY.createGenerator(ObjectWriteContext.empty(), bytes)) {
            json.writeStartObject();
            switch (answer) {
                case JdbcAnswer.Updated(long count) -> {
                    json.writeName("updated");
                    if (count == JdbcAnswer.Updated.NOT_REPORTED) {
                        json.writeNull();
                    } else {
                        json.writeNumber(count);
                    }
                }
                case JdbcAnswer.Rows rows -> rows(rows, json);
            }
            json.writeEndObject();
        }
        return bytes.toByteArray();
    }

    private static void rows(JdbcAnswer.Rows answer, JsonGenerator json) {
        json.writeName("rows");
        json.writeStartArray();
        for (List<@Nullable Object> row : answer.rows()) {
            json.writeStartObject();
            for (int column = 0; column < row.size(); column++) {
                json.writeName(answer.columns().get(column));
                value(row.get(column), json);
            }
            json.writeEndObject();
        }
        json.writeEndArray();
    }

    private static void value(@Nullable Object value, JsonGenerator json) {
        switch (value) {
            case null -> json.writeNull();
            case Boolean bool -> json.writeBoolean(bool);
            case Integer number -> json.writeNumber(number);
            case Long number -> json.writeNumber(number);
            case BigDecimal number -> json.writeNumber(number);
            // Jackson writes NaN and the infinities as strings, since JSON has no such numbers.
            case Double number -> json.writeNumber(number);
            case Float number -> json.writeNumber(number);
            case Number number -> json.writeNumber(new BigDecimal(number.toString()));
            case JsonText text -> json.writeRawValue(text.text());
            case byte[] bytes -> json.writeBinary(bytes);
            case List<?> list -> {
                json.writeStartArray();
                list.forEach(each -> value(each, json));
                json.writeEndArray();
            }
            default -> json.writeString(value.toString());
        }
    }
}
