package dev.penstock.migrate;

import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** One document of a file of Spring, which may only apply with a profile or on a cloud platform. */
final class SpringDocument {
    private static final Pattern ACTIVATE =
            Pattern.compile("spring\\.(?:config\\.activate\\.(onprofile|oncloudplatform)|profiles)");

    private SpringDocument() {}

    /** The values of a document, each with the condition that the document names. */
    static List<PropertyLine> conditioned(List<PropertyLine> document) {
        String condition = document.stream()
                .filter(line -> ACTIVATE.matcher(Table.plain(line.name())).matches())
                .filter(line -> !line.value().isBlank())
                .collect(Collectors.groupingBy(
                        SpringDocument::kind,
                        Collectors.mapping(line -> line.value().strip(), Collectors.joining(", "))))
                .entrySet()
                .stream()
                .map(one -> one.getKey() + " " + one.getValue())
                .sorted()
                .collect(Collectors.joining(" and "));
        return document.stream().map(line -> line.under(condition)).toList();
    }

    private static String kind(PropertyLine line) {
        Matcher matcher = ACTIVATE.matcher(Table.plain(line.name()));
        return matcher.matches() && "oncloudplatform".equals(matcher.group(1)) ? "cloud platform" : "profile";
    }
}
