package dev.penstock.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.text.Sha256;
import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;
import java.util.TreeMap;
import java.util.stream.Collectors;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Element;
import org.w3c.dom.Node;
import org.w3c.dom.NodeList;

/**
 * Compares the libraries that ship with {@code penstock} with docs/libraries.md, which was reviewed: a library that another server
 * delivers under the same name and version, one that came with another, and one with another licence all fail the build.
 */
class LibrariesTest {
    private static final Path PAGE = Path.of("..", "docs", "libraries.md");
    private static final String ROW = "| %s | %s | `%s` |\n";

    /** The jars, in the local repository. */
    private static List<Path> jars() throws Exception {
        String paths = Files.readString(Path.of("target", "runtime-class-path"));
        return paths.lines()
                .flatMap(line -> List.of(line.split(File.pathSeparator)).stream())
                .map(Path::of)
                .filter(path -> path.toString().endsWith(".jar"))
                .filter(path -> !path.getFileName().toString().startsWith("penstock-"))
                .toList();
    }

    private static String table() throws Exception {
        TreeMap<String, String> rows = new TreeMap<>();
        for (Path jar : jars()) {
            String name = jar.getFileName().toString();
            String hash = HexFormat.of().formatHex(Sha256.of(Files.readAllBytes(jar)));
            rows.put(name, ROW.formatted(name, licence(pomOf(jar)), hash));
        }
        return String.join("", rows.values());
    }

    private static Path pomOf(Path jar) {
        Path version = Objects.requireNonNull(jar.getParent());
        String artifact =
                Objects.requireNonNull(version.getParent()).getFileName().toString();
        return version.resolve(artifact + "-" + version.getFileName() + ".pom");
    }

    /** What a pom declares, or its parent. */
    private static String licence(Path pom) throws Exception {
        Element project = DocumentBuilderFactory.newDefaultInstance()
                .newDocumentBuilder()
                .parse(pom.toFile())
                .getDocumentElement();
        List<Element> licences = children(project, "licenses");
        if (!licences.isEmpty()) {
            return children(licences.getFirst(), "license").stream()
                    .map(licence -> text(licence, "name"))
                    .collect(Collectors.joining("; "));
        }
        Element parent = children(project, "parent").getFirst();
        Path repository = pom;
        for (int up = 0; up < text(project, "groupId", parent).split("[.]").length + 3; up++) {
            repository = Objects.requireNonNull(repository.getParent());
        }
        String name = text(parent, "artifactId");
        String version = text(parent, "version");
        return licence(repository
                .resolve(text(parent, "groupId").replace('.', '/'))
                .resolve(name)
                .resolve(version)
                .resolve(name + "-" + version + ".pom"));
    }

    private static String text(Element of, String name, Element otherwise) {
        return children(of, name).isEmpty() ? text(otherwise, name) : text(of, name);
    }

    private static String text(Element of, String name) {
        return children(of, name).getFirst().getTextContent().strip().replaceAll("\\s+", " ");
    }

    private static List<Element> children(Element of, String name) {
        List<Element> found = new ArrayList<>();
        NodeList all = of.getChildNodes();
        for (int i = 0; i < all.getLength(); i++) {
            Node child = all.item(i);
            if (child instanceof Element element && element.getTagName().equals(name)) {
                found.add(element);
            }
        }
        return found;
    }

    @Test
    void everyLibraryIsTheReviewedOne() throws Exception {
        String page = Files.readString(PAGE);
        String head = page.substring(0, page.indexOf("|---|---|---|\n") + "|---|---|---|\n".length());
        String now = head + table();
        if (Boolean.getBoolean("penstock.write")) {
            Files.writeString(PAGE, now);
        }
        assertThat(Files.readString(PAGE))
                .as("after a review write docs/libraries.md anew: mvn -pl cli -am test -Dtest=LibrariesTest"
                        + " -Dpenstock.write=true -Dsurefire.failIfNoSpecifiedTests=false")
                .isEqualTo(now);
        assertThat(jars()).hasSizeGreaterThan(30);
    }
}
