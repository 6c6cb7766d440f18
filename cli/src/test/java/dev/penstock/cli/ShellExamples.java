package dev.penstock.cli;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import picocli.CommandLine;

/** Parses the calls of {@code ./penstock} in shell examples with the parser of the command; runs nothing. */
final class ShellExamples {
    private static final Set<String> LANGUAGES = Set.of("sh", "bash", "shell", "console", "");

    private ShellExamples() {}

    static boolean isShell(DocExample example) {
        return LANGUAGES.contains(example.language());
    }

    /** The calls of {@code ./penstock}. */
    static List<Call> calls(DocExample example) {
        return new Splitter(example).calls();
    }

    /** The calls that the parser rejects, with file and line of the page. */
    static List<String> problems(DocExample example) {
        List<String> problems = new ArrayList<>();
        for (Call call : calls(example)) {
            try {
                Penstock.parser(new Penstock()).parseArgs(call.arguments().toArray(String[]::new));
            } catch (CommandLine.ParameterException refused) {
                problems.add(example.problem(call.line(), String.valueOf(refused.getMessage())));
            }
        }
        return problems;
    }

    /**
     * One call.
     *
     * @param line of the page, from 1
     * @param arguments what follows {@code ./penstock}
     */
    record Call(int line, List<String> arguments) {}

    /** Splits a script into commands and words: quotes, continued lines, comments, redirections, pipes and lists. */
    private static final class Splitter {
        private final List<Call> calls = new ArrayList<>();
        private final String script;
        private final List<String> words = new ArrayList<>();
        private final StringBuilder word = new StringBuilder();
        private boolean inWord;
        private boolean redirected;
        private int line;
        private int firstLine;

        Splitter(DocExample example) {
            this.script = example.text();
            this.line = example.line() + 1;
            this.firstLine = line;
        }

        List<Call> calls() {
            int at = 0;
            while (at < script.length()) {
                at = step(at);
            }
            endCommand();
            return calls;
        }

        private int step(int at) {
            char c = script.charAt(at);
            switch (c) {
                case '\n' -> {
                    endCommand();
                    line++;
                    firstLine = line;
                }
                case ' ', '\t' -> endWord();
                case '|', '&', ';', '(', ')' -> endCommand();
                case '<', '>' -> {
                    return redirection(at);
                }
                case '#' -> {
                    if (!inWord) {
                        int end = script.indexOf('\n', at);
                        return end < 0 ? script.length() : end;
                    }
                    add(c);
                }
                case '\'', '"' -> {
                    return quoted(at, c);
                }
                case '\\' -> {
                    return escaped(at + 1);
                }
                default -> add(c);
            }
            return at + 1;
        }

        private int escaped(int at) {
            if (at < script.length() && script.charAt(at) == '\n') {
                line++;
            } else if (at < script.length()) {
                add(script.charAt(at));
            }
            return at + 1;
        }

        private int quoted(int open, char quote) {
            inWord = true;
            int at = open + 1;
            while (at < script.length() && script.charAt(at) != quote) {
                if (quote == '"' && script.charAt(at) == '\\') {
                    at++;
                }
                if (at < script.length()) {
                    line += script.charAt(at) == '\n' ? 1 : 0;
                    word.append(script.charAt(at));
                }
                at++;
            }
            return at + 1;
        }

        /** Removes the number of the descriptor before it, and the file after it. */
        private int redirection(int at) {
            if (word.chars().allMatch(Character::isDigit)) {
                word.setLength(0);
                inWord = false;
            }
            endWord();
            redirected = true;
            int end = at + 1;
            while (end < script.length() && "<>&".indexOf(script.charAt(end)) >= 0) {
                end++;
            }
            return end;
        }

        private void add(char c) {
            inWord = true;
            word.append(c);
        }

        private void endWord() {
            if (inWord && !redirected) {
                words.add(word.toString());
            }
            redirected &= !inWord;
            word.setLength(0);
            inWord = false;
        }

        private void endCommand() {
            endWord();
            redirected = false;
            int name = name();
            if (name >= 0) {
                calls.add(new Call(firstLine, List.copyOf(words.subList(name + 1, words.size()))));
            }
            words.clear();
        }

        /** The index of {@code ./penstock} anywhere, or of {@code penstock} as the first word or after variables; else -1. */
        private int name() {
            int first = 0;
            while (first < words.size()
                    && (words.get(first).matches("\\w+=.*") || words.get(first).equals("$"))) {
                first++;
            }
            return first < words.size() && words.get(first).equals("penstock") ? first : words.indexOf("./penstock");
        }
    }
}
