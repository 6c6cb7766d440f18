package dev.penstock.gateway.jms;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Objects;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.CharRange;
import net.jqwik.api.constraints.Chars;
import net.jqwik.api.constraints.StringLength;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class PropertyNamesTest {
    @ParameterizedTest
    @CsvSource({
        "Idempotency-Key, Idempotency_HYPHEN_Key",
        "idempotency-key, Idempotency_HYPHEN_Key",
        "IDEMPOTENCY-KEY, Idempotency_HYPHEN_Key",
        "X.Y, X_DOT_y",
        "2fa, _x32_fa",
        "a+b, A_x2b_b",
        "a_x41_, A_x5f_x41_",
        "a_x41^, A_x5f_x41_x5e_",
        "a_x41-b, A_x5f_x41_HYPHEN_B",
        "a_b_xyz_, A_b_xyz_",
    })
    void headerHasOnePropertyName(String header, String property) {
        assertThat(PropertyNames.ofHeader(header)).isEqualTo(property);
        assertThat(PropertyNames.header(property)).isEqualToIgnoringCase(header);
    }

    @ParameterizedTest
    @ValueSource(strings = {"JMSXGroupID", "JMS_AMQP_TTL", "penstock_id", "_AMQ_DUPL_ID", "__AMQ_CID"})
    void propertyThatIsNoHeaderStaysAProperty(String property) {
        assertThat(PropertyNames.header(property)).isNull();
    }

    @ParameterizedTest
    @CsvSource({
        "JMSMessageID, JMSMessageID",
        "order_id, order_id",
        "Idempotency-Key, Idempotency_HYPHEN_Key",
        "Idempotency_HYPHEN_Key, Idempotency_HYPHEN_Key"
    })
    void nameInTheFileIsAPropertyOrAHeader(String word, String property) {
        assertThat(PropertyNames.ofWord(word)).isEqualTo(property);
    }

    @Property(tries = 500)
    void everyHeaderNameSurvivesConversion(
            @ForAll
                    @StringLength(min = 1, max = 20)
                    @CharRange(from = 'a', to = 'z')
                    @CharRange(from = '0', to = '9')
                    @Chars({'-', '.', '_', '!', '#', '$', '%', '&', '\'', '*', '+', '^', '`', '|', '~'})
                    String header) {
        String property = PropertyNames.ofHeader(header);
        assertThat(property).matches("[A-Za-z_$][A-Za-z0-9_$]*");
        assertThat(Objects.requireNonNull(PropertyNames.header(property))).isEqualToIgnoringCase(header);
    }
}
