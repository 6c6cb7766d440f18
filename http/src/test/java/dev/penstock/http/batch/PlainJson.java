package dev.penstock.http.batch;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Another reader of JSON, from the grammar of RFC 8259, to compare with. */
final class PlainJson {
    private static final Pattern NUMBER = Pattern.compile("-?(0|[1-9][0-9]*)(\\.[0-9]+)?([eE][+-]?[0-9]+)?");
    private static final Pattern WORD = Pattern.compile("true|false|null");

    /** The text is no JSON. */
    private static final class NoJson extends Exception {
        private static final long serialVersionUID = 1L;

        NoJson() {
            super(null, null, false, false);
        }
    }

    /** A member of the outermost object: its name, and its value as it is written. */
    record Member(String name, String written) {}

    /** The elements of the outermost array, as they are written. */
    final List<String> elements = new ArrayList<>();

    final List<Member> members = new ArrayList<>();
    /** How many collections are inside of each other. */
    int deepest;

    /** The value without the space around it. */
    String written = "";

    private final String text;
    private int at;
    private int depth;

    private PlainJson(String text) {
        this.text = text;
    }

    /** What the one value is made of, a character for each byte; null when the bytes are no JSON in UTF-8. */
    static @Nullable PlainJson of(byte[] bytes) {
        try {
            StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes));
            PlainJson json = new PlainJson(new String(bytes, StandardCharsets.ISO_8859_1));
            json.space();
            int from = json.at;
            json.value();
            json.written = json.text.substring(from, json.at);
            json.space();
            return json.at == json.text.length() ? json : null;
        } catch (CharacterCodingException | NoJson none) {
            return null;
        }
    }

    private void value() throws NoJson {
        switch (peek()) {
            case '{' -> collection('}');
            case '[' -> collection(']');
            case '"' -> string();
            case '-', '0', '1', '2', '3', '4', '5', '6', '7', '8', '9' -> token(NUMBER);
            default -> token(WORD);
        }
    }

    private void collection(char end) throws NoJson {
        depth++;
        deepest = Math.max(deepest, depth);
        at++;
        space();
        if (peek() == end) {
            at++;
            depth--;
            return;
        }
        while (true) {
            String name = end == '}' ? name() : "";
            int from = at;
            value();
            if (depth == 1 && end == '}') {
                members.add(new Member(name, text.substring(from, at)));
            } else if (depth == 1) {
                elements.add(text.substring(from, at));
            }
            space();
            if (peek() == end) {
                at++;
                depth--;
                return;
            }
            expect(',');
            space();
        }
    }

    private String name() throws NoJson {
        int from = at;
        string();
        String name = meaning(text.substring(from, at));
        space();
        expect(':');
        space();
        return name;
    }

    private void string() throws NoJson {
        expect('"');
        while (peek() != '"') {
            if (peek() < ' ') {
                throw new NoJson();
            }
            if (peek() == '\\') {
                at++;
                escape();
            } else {
                at++;
            }
        }
        at++;
    }

    private void escape() throws NoJson {
        if ("\"\\/bfnrt".indexOf(peek()) >= 0) {
            at++;
            return;
        }
        expect('u');
        for (int i = 0; i < 4; i++) {
            if ("0123456789abcdefABCDEF".indexOf(peek()) < 0) {
                throw new NoJson();
            }
            at++;
        }
    }

    private void token(Pattern pattern) throws NoJson {
        Matcher matcher = pattern.matcher(text).region(at, text.length());
        if (!matcher.lookingAt()) {
            throw new NoJson();
        }
        at = matcher.end();
    }

    private void space() {
        while (at < text.length() && " \t\r\n".indexOf(text.charAt(at)) >= 0) {
            at++;
        }
    }

    private char peek() throws NoJson {
        if (at == text.length()) {
            throw new NoJson();
        }
        return text.charAt(at);
    }

    private void expect(char c) throws NoJson {
        if (peek() != c) {
            throw new NoJson();
        }
        at++;
    }

    /** The text that a string with its quotation marks stands for. */
    static String meaning(String string) {
        String inner = new String(string.getBytes(StandardCharsets.ISO_8859_1), StandardCharsets.UTF_8);
        StringBuilder meaning = new StringBuilder();
        for (int i = 1; i < inner.length() - 1; i++) {
            char c = inner.charAt(i);
            if (c != '\\') {
                meaning.append(c);
                continue;
            }
            i++;
            switch (inner.charAt(i)) {
                case 'b' -> meaning.append('\b');
                case 'f' -> meaning.append('\f');
                case 'n' -> meaning.append('\n');
                case 'r' -> meaning.append('\r');
                case 't' -> meaning.append('\t');
                case 'u' -> {
                    meaning.append((char) Integer.parseInt(inner.substring(i + 1, i + 5), 16));
                    i += 4;
                }
                default -> meaning.append(inner.charAt(i));
            }
        }
        return meaning.toString();
    }
}
