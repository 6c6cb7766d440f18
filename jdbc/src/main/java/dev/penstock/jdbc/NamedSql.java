package dev.penstock.jdbc;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A statement with parameters by name ({@code :amount}), as JDBC takes it: a question mark for each.
 *
 * <p>What stands in quotes, in comments or between dollar quotes stays as it is, and so does a cast ({@code ::text}). A
 * question mark is told from a parameter by being written twice, as the PostgreSQL driver wants it too.
 *
 * @param sql with question marks
 * @param names whose value goes to each question mark, in their order; a name may be there more than once
 * @param words the words outside of quotes and comments, in lower case, each with an opening bracket behind it if the
 *     statement has one there
 * @param marks where the question marks are
 * @param lastBrackets the last brackets that stand in no others, if there are any
 */
record NamedSql(
        String sql,
        List<String> names,
        List<String> words,
        List<Mark> marks,
        @Nullable Brackets lastBrackets) {
    /**
     * A question mark in the place of a parameter.
     *
     * @param at its place in the statement
     * @param depth in how many brackets it is
     */
    record Mark(int at, int depth) {}

    /**
     * A pair of brackets.
     *
     * @param from where the opening one is
     * @param to where the closing one is
     */
    record Brackets(int from, int to) {}

    /**
     * Reads a statement.
     *
     * @throws IllegalArgumentException when it is not one statement with parameters by name; one line that says what to do
     */
    static NamedSql parse(String text) {
        return new Reader(text).read();
    }

    /** The names without repeats, in the order in which they come first. */
    Set<String> distinctNames() {
        return new LinkedHashSet<>(names);
    }

    /** Goes over a statement once. */
    private static final class Reader {
        private final String text;
        private final StringBuilder sql = new StringBuilder();
        private final List<String> names = new ArrayList<>();
        private final List<String> words = new ArrayList<>();
        private final List<Mark> marks = new ArrayList<>();
        private int depth;
        private int opened;
        private @Nullable Brackets last;
        private int at;
        private boolean ended;

        Reader(String text) {
            this.text = text.strip();
        }

        NamedSql read() {
            while (at < text.length()) {
                step(text.charAt(at));
            }
            String all = sql.toString().strip();
            if (all.isEmpty()) {
                throw new IllegalArgumentException("there is no statement: write one, for instance select 1");
            }
            return new NamedSql(all, List.copyOf(names), List.copyOf(words), List.copyOf(marks), last);
        }

        private void step(char c) {
            int from = at;
            int end = skipped(c);
            if (end > at) {
                if (c == '\'' || c == '"' || c == '$' || c == '`') {
                    mustNotHaveEnded();
                }
                copy(end);
            } else if (c == ':') {
                colon();
            } else if (c == '?') {
                questionMark();
            } else if (c == ';') {
                ended = true;
                at++;
            } else if (isNameStart(c)) {
                word();
            } else {
                if (!Character.isWhitespace(c)) {
                    mustNotHaveEnded();
                }
                bracket(c);
                copy(from + 1);
            }
        }

        private void bracket(char c) {
            if (c == '(' && depth++ == 0) {
                opened = sql.length();
            } else if (c == ')' && --depth == 0) {
                last = new Brackets(opened, sql.length());
            }
        }

        /** Where a quote or comment that begins here ends; here when none does. */
        private int skipped(char c) {
            return switch (c) {
                case '\'' -> quote('\'', at > 0 && isEscapePrefix());
                case '"', '`' -> quote(c, false);
                case '$' -> dollarQuote();
                case '-' -> text.startsWith("--", at) ? lineEnd() : at;
                case '/' -> text.startsWith("/*", at) ? commentEnd() : at;
                default -> at;
            };
        }

        /** Whether the quote stands behind an E that is a word by itself, as in {@code E'it\'s'}. */
        private boolean isEscapePrefix() {
            char before = text.charAt(at - 1);
            return (before == 'e' || before == 'E') && (at == 1 || !isNamePart(text.charAt(at - 2)));
        }

        private int quote(char mark, boolean backslashes) {
            for (int to = at + 1; to < text.length(); to++) {
                char c = text.charAt(to);
                if (backslashes && c == '\\') {
                    to++;
                } else if (c == mark) {
                    if (to + 1 == text.length() || text.charAt(to + 1) != mark) {
                        return to + 1;
                    }
                    to++;
                }
            }
            throw new IllegalArgumentException("a quote (" + mark + ") is not closed: " + text.substring(at));
        }

        private int dollarQuote() {
            int to = at + 1;
            if (at > 0 && isNamePart(text.charAt(at - 1))) {
                return at;
            }
            while (to < text.length() && isNamePart(text.charAt(to)) && text.charAt(to) != '$') {
                to++;
            }
            boolean isTag = to < text.length()
                    && text.charAt(to) == '$'
                    && (to == at + 1 || !Character.isDigit(text.charAt(at + 1)));
            if (!isTag) {
                return at;
            }
            String tag = text.substring(at, to + 1);
            int close = text.indexOf(tag, to + 1);
            if (close < 0) {
                throw new IllegalArgumentException("a quote (" + tag + ") is not closed: " + text.substring(at));
            }
            return close + tag.length();
        }

        private int lineEnd() {
            int to = text.indexOf('\n', at);
            return to < 0 ? text.length() : to + 1;
        }

        /** PostgreSQL's comments, and H2's, may hold comments. */
        private int commentEnd() {
            int depth = 0;
            for (int to = at; to < text.length(); to++) {
                if (text.startsWith("/*", to)) {
                    depth++;
                    to++;
                } else if (text.startsWith("*/", to)) {
                    depth--;
                    to++;
                    if (depth == 0) {
                        return to + 1;
                    }
                }
            }
            throw new IllegalArgumentException("a comment is not closed: " + text.substring(at));
        }

        private void colon() {
            mustNotHaveEnded();
            int next = at + 1;
            if (text.startsWith("::", at)) {
                copy(at + 2);
            } else if (next < text.length() && isNameStart(text.charAt(next))) {
                int to = nameEnd(next);
                names.add(text.substring(next, to));
                marks.add(new Mark(sql.length(), depth));
                sql.append('?');
                at = to;
            } else {
                copy(next);
            }
        }

        private void questionMark() {
            mustNotHaveEnded();
            if (!text.startsWith("??", at)) {
                throw new IllegalArgumentException(
                        "a parameter is written by its name, as :id, and not as ?; for PostgreSQL's operator write ??");
            }
            copy(at + 2);
        }

        private void word() {
            mustNotHaveEnded();
            int to = nameEnd(at);
            int next = to;
            while (next < text.length() && Character.isWhitespace(text.charAt(next))) {
                next++;
            }
            boolean isCalled = next < text.length() && text.charAt(next) == '(';
            words.add(text.substring(at, to).toLowerCase(Locale.ROOT) + (isCalled ? "(" : ""));
            copy(to);
        }

        private void mustNotHaveEnded() {
            if (ended) {
                throw new IllegalArgumentException(
                        "there is more than one statement: write one, or put them into a function of the database");
            }
        }

        private int nameEnd(int from) {
            int to = from;
            while (to < text.length() && isNamePart(text.charAt(to)) && text.charAt(to) != '$') {
                to++;
            }
            return Math.max(to, from + 1);
        }

        private void copy(int to) {
            sql.append(text, at, to);
            at = to;
        }

        private static boolean isNameStart(char c) {
            return c == '_' || Character.isLetter(c);
        }

        private static boolean isNamePart(char c) {
            return isNameStart(c) || Character.isDigit(c) || c == '$';
        }
    }
}
