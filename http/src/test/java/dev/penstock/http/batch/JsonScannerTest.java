package dev.penstock.http.batch;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class JsonScannerTest {
    private static byte[] bytes(String text) {
        return text.getBytes(UTF_8);
    }

    private static @Nullable List<String> elements(String text) {
        List<byte[]> elements = JsonScanner.elements(bytes(text));
        return elements == null
                ? null
                : elements.stream().map(one -> new String(one, UTF_8)).toList();
    }

    @Test
    void elementsAreWhatIsWritten() {
        assertThat(elements(" [ 1.50e+10 ,-0,\t{ \"a\" : [1 ,2] } ,\n\"x,]\\\"\", true,null , [ ] ] "))
                .containsExactly("1.50e+10", "-0", "{ \"a\" : [1 ,2] }", "\"x,]\\\"\"", "true", "null", "[ ]");
        assertThat(elements("[]")).isEmpty();
        assertThat(elements("[\"\u00e9\u4e2d\ud83d\ude00\",\"\\u00e9\",{}]"))
                .containsExactly("\"\u00e9\u4e2d\ud83d\ude00\"", "\"\\u00e9\"", "{}");
    }

    @Test
    void aNumberOfAnyLengthStaysAsItIs() {
        String number = "9".repeat(5_000) + "." + "1".repeat(5_000) + "E-99999";
        assertThat(elements("[" + number + "]")).containsExactly(number);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                " ",
                "{}",
                "1",
                "\"[]\"",
                "[",
                "]",
                "[1",
                "[1,",
                "[1,]",
                "[,1]",
                "[1 2]",
                "[1]]",
                "[1] x",
                "[1][2]",
                "[01]",
                "[+1]",
                "[1.]",
                "[.5]",
                "[NaN]",
                "[Infinity]",
                "['a']",
                "[tru]",
                "[\"a]",
                "[\"\\q\"]",
                "[\"\n\"]",
                "[\"\\ud8\"]",
                "[{\"a\"}]",
                "[{\"a\":}]",
                "[{a:1}]",
                "[{\"a\":1,}]",
                "[1]/**/",
                "[1//\n]",
                "[1]#",
                "\ufeff[1]",
                "[1]\u0000",
                "[\u0000]"
            })
    void whatIsNoArrayHasNoElements(String text) {
        assertThat(elements(text)).isNull();
        assertThat(JsonScanner.isValue(bytes("[" + text + ",0]")) && JsonScanner.isValue(bytes(text + "]")))
                .isFalse();
    }

    @Test
    void otherEncodingsAreNoJson() {
        assertThat(JsonScanner.elements("[1]".getBytes(StandardCharsets.UTF_16)))
                .isNull();
        assertThat(JsonScanner.elements("[1]".getBytes(StandardCharsets.UTF_16LE)))
                .isNull();
        assertThat(JsonScanner.elements("[\"\u00e9\"]".getBytes(StandardCharsets.ISO_8859_1)))
                .isNull();
        // A quotation mark that some readers would take for one: two bytes where one would do.
        assertThat(JsonScanner.elements(new byte[] {'[', '"', (byte) 0xC0, (byte) 0xA2, '"', ']'}))
                .isNull();
    }

    @Test
    void whatIsTooDeepIsNone() {
        assertThat(elements("[" + "[".repeat(900) + "]".repeat(900) + "]")).hasSize(1);
        assertThat(elements("[" + "[".repeat(2_000) + "]".repeat(2_000) + "]")).isNull();
    }

    @ParameterizedTest
    @ValueSource(strings = {"1", " 1\n ", " {} ", "\"a\"", "null", "[1,2]\n", "-0.0", "\t{\"a\":{\"b\":[]}}"})
    void oneValueIsOne(String text) {
        assertThat(new String(JsonScanner.value(bytes(text)), UTF_8)).isEqualTo(text.strip());
    }

    /** Each of these would be taken for more, or for less, than one element of an array. */
    @ParameterizedTest
    @ValueSource(
            strings = {"1,2", "{},{}", "1 2", "1\n2", "", " ", "1]", "[1", "],[", "\"a", "a\"", "{\"a\":1}}", "1,"})
    void whatCouldBeMoreOrLessThanOneElementIsNone(String text) {
        assertThat(JsonScanner.isValue(bytes(text))).isFalse();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            value = {
                "{\"id\":\"a\"}                        | \"a",
                "{\"x\":{\"id\":1},\"id\":7.0}         | 7.0",
                "{\"\\u0069d\":\"\\u0061\"}            | \"a",
                "{\"id\":\"\"}                         | \"",
                "{\"x\":{\"id\":1}}                    |",
                "{\"id\":1,\"id\":1}                   |",
                "{\"id\":null,\"id\":1}                |",
                "{\"id\":1,\"id\":{}}                  |",
                "{\"id\":null}                         |",
                "{\"id\":[1]}                          |",
                "{\"ID\":1}                            |",
                "[{\"id\":1}]                          |",
                "{\"id\":1                             | ",
                "\"id\"                                |",
            })
    void aMemberIsFoundWhenItIsThereOnce(String object, String member) {
        assertThat(JsonScanner.member(bytes(object), "id")).isEqualTo(member);
    }
}
