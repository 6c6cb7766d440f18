package dev.penstock.cli;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * A fenced example of a Markdown page.
 *
 * @param file the page, relative to the root of the repository
 * @param line the line of the opening fence, from 1
 * @param language the word behind the opening fence; empty when there is none
 * @param text the lines between the fences, without the indentation of the fence
 * @param given Java declarations from {@code <!-- given: ... -->} comments directly above the fence: what the surrounding
 *     code of a reader has
 */
record DocExample(String file, int line, String language, String text, String given) {
    private static final Pattern FENCE = Pattern.compile("^( *)(```+)\\s*([\\w-]*).*$");
    private static final Pattern GIVEN = Pattern.compile("^\\s*<!--\\s*given:\\s*(.*?)\\s*-->\\s*$");

    /** The examples of all pages, and the flow files beside them. */
    static List<DocExample> all(Path root) throws IOException {
        return Stream.concat(
                        pages(root).stream()
                                .flatMap(page -> in(root.relativize(page).toString(), lines(page)).stream()),
                        files(root, "examples", ".yaml").stream()
                                .map(file -> new DocExample(
                                        root.relativize(file).toString(),
                                        0,
                                        "yaml",
                                        String.join("\n", lines(file)) + "\n",
                                        "")))
                .toList();
    }

    /** The pages: README.md, docs/*.md, and those in examples and ops. */
    static List<Path> pages(Path root) throws IOException {
        List<Path> pages = new ArrayList<>(List.of(root.resolve("README.md")));
        for (String folder : List.of("docs", "examples", "ops")) {
            pages.addAll(files(root, folder, ".md"));
        }
        return pages;
    }

    private static List<Path> files(Path root, String folder, String end) throws IOException {
        try (Stream<Path> files = Files.walk(root.resolve(folder))) {
            return files.filter(file -> file.toString().endsWith(end)).sorted().toList();
        }
    }

    /** The examples of one page. */
    static List<DocExample> in(String file, List<String> lines) {
        List<DocExample> examples = new ArrayList<>();
        for (int i = 0; i < lines.size(); i++) {
            Matcher fence = FENCE.matcher(lines.get(i));
            if (!fence.matches()) {
                continue;
            }
            int end = i + 1;
            while (end < lines.size() && !lines.get(end).strip().equals(fence.group(2))) {
                end++;
            }
            StringBuilder text = new StringBuilder();
            for (String line : lines.subList(i + 1, end)) {
                text.append(line.replaceFirst("^ {0," + fence.group(1).length() + "}", ""))
                        .append('\n');
            }
            examples.add(new DocExample(file, i + 1, fence.group(3), text.toString(), given(lines, i)));
            i = end;
        }
        return examples;
    }

    private static String given(List<String> lines, int fence) {
        StringBuilder given = new StringBuilder();
        for (int i = fence - 1; i >= 0; i--) {
            Matcher comment = GIVEN.matcher(lines.get(i));
            if (!comment.matches()) {
                break;
            }
            given.insert(0, comment.group(1) + " ");
        }
        return given.toString();
    }

    /** A problem at a line of the page. */
    String problem(long atLine, String message) {
        return file + ":" + atLine + ": " + message;
    }

    private static List<String> lines(Path page) {
        try {
            return Files.readAllLines(page);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
