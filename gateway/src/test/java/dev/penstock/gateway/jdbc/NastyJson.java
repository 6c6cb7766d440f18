package dev.penstock.gateway.jdbc;

import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/** Random numbers and strings as JSON, most of them near a bound of a database, a driver or a JSON reader. */
final class NastyJson {
    /**
     * A JSON value.
     *
     * @param json its bytes
     * @param number what it means as a number; null for a string, or where no {@link BigDecimal} can be that number
     * @param text what it means as a string; null for a number
     */
    record Value(
            byte[] json,
            @Nullable BigDecimal number,
            @Nullable String text) {
        boolean isNumber() {
            return text == null;
        }

        @Override
        public String toString() {
            String shown = new String(json, StandardCharsets.UTF_8);
            return shown.length() <= 80 ? shown : shown.substring(0, 80) + "... (" + json.length + " bytes)";
        }
    }

    private static final List<Integer> LENGTHS = List.of(1, 2, 5, 15, 17, 19, 20, 30, 35, 36, 38, 64, 65, 66, 300, 990);

    private static final List<Long> EXPONENTS = List.of(
            0L,
            1L,
            5L,
            18L,
            28L,
            30L,
            31L,
            35L,
            38L,
            64L,
            65L,
            308L,
            309L,
            400L,
            16_383L,
            16_384L,
            32_768L,
            65_536L,
            100_000L,
            131_071L,
            131_072L,
            262_144L,
            300_000L,
            50_000_000L,
            300_000_000L,
            2_147_483_647L,
            99_999_999_999L);

    private static final List<String> FIXED = List.of(
            "-0",
            "-0.0",
            "0e5",
            "1e-400",
            "0.1",
            "9007199254740993",
            "9223372036854775807",
            "9223372036854775808",
            "-9223372036854775808",
            "-9223372036854775809",
            "7e262144",
            "1e131072",
            "1e131071",
            "1e300000000",
            "1e-300000000",
            "1e50000000",
            "1e-50000000",
            "0e300000000",
            "0e-300000000",
            "1.00",
            "100e-2",
            "1E+2");

    private static final List<String> PIECES = List.of(
            "a",
            "Z",
            " ",
            "'",
            "''",
            "\\",
            "\\'",
            "\"",
            "`",
            "%",
            "_",
            "?",
            ":id",
            "$1",
            ";--",
            "/*",
            "\0",
            "\b",
            "\t",
            "\n",
            "\r\n",
            "\u001a",
            "\u007f",
            "\u0080",
            "\u00a0",
            "\u00e9",
            "e\u0301",
            "\u0130",
            "\u200b",
            "\u200f",
            "\u202e",
            "\u2028",
            "\ufeff",
            "\ufffd",
            "\ufffe",
            "\uffff",
            "\ud83d\ude00",
            "\ud83c\udde9\ud83c\uddea",
            "\udbff\udfff",
            "\ud800",
            "\udfff",
            "null",
            "true",
            "\\u0041",
            "\\0",
            "ss\u00df",
            "\u0915\u094d\u0937");

    private final Random random;

    NastyJson(long seed) {
        random = new Random(seed);
    }

    Value next() {
        return random.nextBoolean() ? number() : random.nextInt(50) == 0 ? malformed() : string();
    }

    private Value number() {
        String text = random.nextInt(5) == 0 ? one(FIXED) : digits();
        BigDecimal value = null;
        try {
            value = new BigDecimal(text);
        } catch (NumberFormatException beyondAnExponent) {
            // No database stores it.
        }
        return new Value(text.getBytes(StandardCharsets.UTF_8), value, null);
    }

    private String digits() {
        StringBuilder text = new StringBuilder(random.nextBoolean() ? "-" : "");
        text.append(random.nextInt(4) == 0 ? "0" : digits(one(LENGTHS), '1'));
        if (random.nextBoolean()) {
            text.append('.').append(digits(one(LENGTHS), '0'));
        }
        if (random.nextInt(3) == 0) {
            text.append(random.nextBoolean() ? 'e' : 'E');
            text.append(one(List.of("", "+", "-", "-")));
            text.append(Math.max(0, one(EXPONENTS) + random.nextInt(-2, 3)));
        }
        return text.toString();
    }

    private String digits(int length, char least) {
        int digits = Math.max(1, length + random.nextInt(-1, 2));
        StringBuilder text = new StringBuilder(digits);
        text.append((char) random.nextInt(least, '9' + 1));
        boolean same = random.nextInt(4) == 0;
        while (text.length() < digits) {
            text.append(same ? text.charAt(0) : (char) random.nextInt('0', '9' + 1));
        }
        return text.toString();
    }

    private Value string() {
        StringBuilder text = new StringBuilder();
        int pieces = random.nextInt(40) == 0 ? random.nextInt(30_000) : random.nextInt(12);
        boolean plain = random.nextBoolean();
        for (int n = 0; n < pieces; n++) {
            String piece = one(PIECES);
            boolean isHalf = piece.length() == 1 && Character.isSurrogate(piece.charAt(0));
            text.append(plain && (isHalf || piece.equals("\0")) ? "x" : piece);
        }
        StringBuilder json = new StringBuilder("\"");
        boolean escapeAll = random.nextInt(4) == 0;
        text.codePoints().forEach(code -> {
            boolean isHalf = code >= Character.MIN_SURROGATE && code <= Character.MAX_SURROGATE;
            if (escapeAll || code < ' ' || isHalf) {
                for (char c : Character.toChars(code)) {
                    json.append("\\u%04x".formatted((int) c));
                }
            } else {
                json.append(code == '"' || code == '\\' ? "\\" : "").appendCodePoint(code);
            }
        });
        return new Value(json.append('"').toString().getBytes(StandardCharsets.UTF_8), null, text.toString());
    }

    /** Bytes that are not UTF-8. */
    private Value malformed() {
        String bytes =
                one(List.of("\u00ff", "\u00c0\u0080", "\u00ed\u00a0\u0080", "\u00e4", "\u00f4\u0090\u0080\u0080"));
        return new Value(("\"a" + bytes + "b\"").getBytes(StandardCharsets.ISO_8859_1), null, "not UTF-8");
    }

    private <T> T one(List<T> all) {
        return all.get(random.nextInt(all.size()));
    }
}
