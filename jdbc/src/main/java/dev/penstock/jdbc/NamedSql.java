package dev.penstock.jdbc;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * A statement with named parameters ({@code :amount}), converted to JDBC's question marks.
 *
 * <p>Text in quotes, comments and dollar quotes is left unchanged, and so is a cast ({@code ::text}). A literal
 * question mark (an operator) is written twice, as the PostgreSQL driver requires too.
 *
 * @param sql the statement with question marks
 * @param names the parameter name of each question mark, in order; a name may occur more than once
 * @param marks the indexes of the question marks in the statement
 */
record NamedSql(String sql, List<String> names, List<Integer> marks) {
    /**
     * Parses a statement.
     *
     * @throws IllegalArgumentException when it is not exactly one statement with named parameters; the message has one
     *     line and says what to do
     */
    static NamedSql parse(String text) {
        return new Reader(text).read();
    }

    /** The distinct parameter names, in the order of their first occurrence. */
    Set<String> distinctNames() {
        return new LinkedHashSet<>(names);
    }

    /** Whether its only parameter is a list of values, {@code in (:id)}. */
    boolean hasList() {
        return marks.size() == 1
                && sql.substring(0, marks.getFirst()).matches("(?is).*\\bin\\s*\\(\\s*")
                && sql.substring(marks.getFirst() + 1).stripLeading().startsWith(")");
    }

    /** The statement with a number of values in its list. */
    String sql(int values) {
        return sql.substring(0, marks.getFirst())
                + String.join(", ", Collections.nCopies(values, "?"))
                + sql.substring(marks.getFirst() + 1);
    }

    /** Scans a statement once. */
    private static final class Reader {
        private final String text;
        private final StringBuilder sql = new StringBuilder();
        private final List<String> names = new ArrayList<>();
        private final List<Integer> marks = new ArrayList<>();
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
                throw new IllegalArgumentException("the SQL statement is empty; write one, for instance select 1");
            }
            return new NamedSql(all, List.copyOf(names), List.copyOf(marks));
        }

        private void step(char c) {
            int end = skipped(c);
            if (end > at) {
                if (c == '\'' || c == '"' || c == '$' || c == '`') {
                    rejectSecondStatement();
                }
                copy(end);
            } else if (c == ':') {
                colon();
            } else if (c == '?') {
                questionMark();
            } else if (c == ';') {
                ended = true;
                at++;
            } else {
                if (!Character.isWhitespace(c)) {
                    rejectSecondStatement();
                }
                copy(isNameStart(c) ? nameEnd(at) : at + 1);
            }
        }

        /** The end of the quote or comment that begins here; the current position when none does. */
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

        /** Whether the quote follows a separate {@code E}, as in {@code E'it\'s'}. */
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
            throw new IllegalArgumentException("unterminated quote (" + mark + ") in: " + text.substring(at));
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
                throw new IllegalArgumentException("unterminated quote (" + tag + ") in: " + text.substring(at));
            }
            return close + tag.length();
        }

        private int lineEnd() {
            int to = text.indexOf('\n', at);
            return to < 0 ? text.length() : to + 1;
        }

        /** Comments nest in PostgreSQL and H2. */
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
            throw new IllegalArgumentException("unterminated comment in: " + text.substring(at));
        }

        private void colon() {
            rejectSecondStatement();
            int next = at + 1;
            if (text.startsWith("::", at)) {
                copy(at + 2);
            } else if (next < text.length() && isNameStart(text.charAt(next))) {
                int to = nameEnd(next);
                names.add(text.substring(next, to));
                marks.add(sql.length());
                sql.append('?');
                at = to;
            } else {
                copy(next);
            }
        }

        private void questionMark() {
            rejectSecondStatement();
            if (!text.startsWith("??", at)) {
                throw new IllegalArgumentException(
                        "positional parameters (?) are not supported; write :name, or ?? for PostgreSQL's operator");
            }
            copy(at + 2);
        }

        private void rejectSecondStatement() {
            if (ended) {
                throw new IllegalArgumentException(
                        "more than one SQL statement; write a single statement, or call a database function that runs them");
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
