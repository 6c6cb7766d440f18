package dev.penstock.lab.compare.foreign;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.io.IOException;
import java.io.StringReader;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.CharRange;
import net.jqwik.api.constraints.Chars;
import net.jqwik.api.constraints.Size;
import net.jqwik.api.constraints.StringLength;
import org.junit.jupiter.api.Test;

class CsvRowsTest {
    @Test
    void quotedFieldsHoldAnything() throws IOException {
        assertThat(rows("a,\"b,c\",\"d \"\"e\"\"\",\"f\ng\"\n1,,3,\n"))
                .containsExactly(List.of("a", "b,c", "d \"e\"", "f\ng"), List.of("1", "", "3", ""));
    }

    @Test
    void linesEndAsTheyLikeAndEmptyOnesAreNoRows() throws IOException {
        assertThat(rows("\uFEFFa,b\r\n\r\n\nc,d")).containsExactly(List.of("a", "b"), List.of("c", "d"));
        assertThat(rows("")).isEmpty();
        assertThat(rows("\n\n")).isEmpty();
    }

    @Test
    void aQuoteInTheMiddleIsOneAndWhatFollowsAQuotedFieldStays() throws IOException {
        assertThat(rows("5\" disk,\"x\"y")).containsExactly(List.of("5\" disk", "xy"));
    }

    @Test
    void tellsOnWhichLineARowBegan() throws IOException {
        CsvRows rows = new CsvRows(new StringReader("a\n\"b\nc\"\nd\n"), ',');
        rows.next();
        rows.next();
        assertThat(rows.line()).isEqualTo(2);
        rows.next();
        assertThat(rows.line()).isEqualTo(4);
    }

    @Test
    void aQuoteThatIsNeverClosedDoesNotTakeAllMemory() throws IOException {
        CsvRows rows = new CsvRows(new StringReader("a\n\"" + "b".repeat(CsvRows.MAX_CHARS + 1)), ',');
        rows.next();
        assertThatExceptionOfType(IOException.class)
                .isThrownBy(rows::next)
                .withMessageStartingWith("line 2 starts a row of more than 1048576 characters");
    }

    @Property
    void whatIsWrittenIsRead(
            @ForAll @Size(min = 1, max = 5)
                    List<
                                    @Size(min = 2, max = 4) List<
                                            @StringLength(max = 6) @Chars({',', '"', '\n', '\r', ';'})
                                            @CharRange(from = 'a', to = 'c') String>>
                            table)
            throws IOException {
        String text = table.stream()
                .map(row -> row.stream()
                        .map(field -> '"' + field.replace("\"", "\"\"") + '"')
                        .collect(Collectors.joining(",")))
                .collect(Collectors.joining("\n"));
        assertThat(rows(text)).isEqualTo(table);
    }

    private static List<List<String>> rows(String text) throws IOException {
        CsvRows rows = new CsvRows(new StringReader(text), ',');
        List<List<String>> all = new ArrayList<>();
        for (List<String> row = rows.next(); row != null; row = rows.next()) {
            all.add(row);
        }
        return all;
    }
}
