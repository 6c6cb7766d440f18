package dev.penstock.migrate;

import dev.penstock.gateway.config.ConfigProblems;
import dev.penstock.gateway.config.FileLocation;
import dev.penstock.gateway.config.Quoted;
import java.io.StringReader;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.xml.stream.Location;
import javax.xml.stream.XMLInputFactory;
import javax.xml.stream.XMLStreamConstants;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamReader;
import org.jspecify.annotations.Nullable;

/**
 * Parses XML to named values: {@code <property name="a">b</property>} and {@code <property name="a" value="b"/>} are
 * {@code a=b}, other elements {@code element.attribute=value} and {@code element=text}. A DOCTYPE is skipped: no
 * entity is defined, and no other file or host is read. Not thread-safe.
 */
final class XmlSettings {
    private static final Pattern ATTRIBUTE = Pattern.compile("([\\w:.-]+)\\s*=\\s*(\"[^\"]*\"|'[^']*')");
    private static final int MAX_DEPTH = 64;

    private final String text;
    private final List<Integer> lineStarts = new ArrayList<>(List.of(0));
    private final List<PropertyLine> found = new ArrayList<>();
    private final Deque<OpenElement> open = new ArrayDeque<>();
    private int connectors;
    private int units;
    private String root = "";

    /** An element whose end was not seen yet. */
    private record OpenElement(
            String name, FileLocation location, StringBuilder text, boolean isProperty, String condition) {}

    private XmlSettings(String text) {
        this.text = text;
        Matcher breaks = Pattern.compile("\r\n|\n|\r").matcher(text);
        while (breaks.find()) {
            lineStarts.add(breaks.end());
        }
    }

    static List<PropertyLine> parse(String text, ConfigProblems problems) {
        XmlSettings settings = new XmlSettings(text);
        try {
            settings.read();
        } catch (XMLStreamException wrong) {
            Location at = wrong.getLocation();
            FileLocation location = at == null
                    ? FileLocation.START
                    : new FileLocation(Math.max(1, at.getLineNumber()), Math.max(1, at.getColumnNumber()));
            String message = String.valueOf(wrong.getMessage()).replaceFirst("(?s).*\\RMessage: ", "");
            problems.add(location, "invalid XML: " + Quoted.plain(message) + "; correct it");
        }
        return settings.found;
    }

    private void read() throws XMLStreamException {
        XMLInputFactory factory = XMLInputFactory.newDefaultFactory();
        factory.setProperty(XMLInputFactory.SUPPORT_DTD, false);
        factory.setProperty(XMLInputFactory.IS_SUPPORTING_EXTERNAL_ENTITIES, false);
        factory.setProperty(XMLInputFactory.IS_COALESCING, true);
        factory.setXMLResolver((publicId, systemId, base, namespace) -> {
            throw new XMLStreamException("this file refers to another one");
        });
        XMLStreamReader reader = factory.createXMLStreamReader(new StringReader(text));
        while (reader.hasNext()) {
            switch (reader.next()) {
                case XMLStreamConstants.START_ELEMENT -> start(reader);
                case XMLStreamConstants.CHARACTERS, XMLStreamConstants.CDATA -> {
                    if (!open.isEmpty()) {
                        open.peek().text().append(reader.getText());
                    }
                }
                case XMLStreamConstants.END_ELEMENT -> end();
                default -> {}
            }
        }
    }

    private void start(XMLStreamReader reader) throws XMLStreamException {
        String element = reader.getLocalName();
        root = open.isEmpty() ? element : root;
        if (open.size() >= MAX_DEPTH) {
            throw new XMLStreamException("elements are nested more than " + MAX_DEPTH + " deep", reader.getLocation());
        }
        Location at = reader.getLocation();
        int end = Math.min(text.length(), lineStarts.get(at.getLineNumber() - 1) + at.getColumnNumber() - 1);
        int start = Math.max(0, text.lastIndexOf('<', Math.max(0, end - 1)));
        String name = reader.getAttributeValue(null, "name");
        String condition = condition(element, name, reader);
        if (element.equals("property") && name != null) {
            String value = reader.getAttributeValue(null, "value");
            StringBuilder content = new StringBuilder(value == null ? "" : value);
            open.push(new OpenElement(prefixed(name), location(start), content, true, condition));
            return;
        }
        String shown = element.equals("Connector") && ++connectors > 1 ? element + "[" + connectors + "]" : element;
        open.push(new OpenElement(shown, location(start), new StringBuilder(), false, condition));
        Map<String, Integer> places = new HashMap<>();
        ATTRIBUTE
                .matcher(text)
                .region(start, Math.max(start, end))
                .results()
                .forEach(attribute -> places.put(attribute.group(1), attribute.start()));
        for (int i = 0; i < reader.getAttributeCount(); i++) {
            String attribute = reader.getAttributeLocalName(i);
            if (reader.getAttributePrefix(i) == null
                    || reader.getAttributePrefix(i).isEmpty()) {
                FileLocation location = location(places.getOrDefault(attribute, start));
                found.add(new PropertyLine(shown + "." + attribute, reader.getAttributeValue(i), location, condition));
            }
        }
    }

    private void end() {
        OpenElement closed = open.pop();
        String content = closed.text().toString().strip();
        if (closed.isProperty() || !content.isEmpty()) {
            found.add(new PropertyLine(closed.name(), content, closed.location(), closed.condition()));
        }
    }

    /** Of several persistence units the first is read; of a c3p0-config.xml, the default-config. */
    private String condition(String element, @Nullable String name, XMLStreamReader reader) {
        String inherited = open.isEmpty() ? "" : open.peek().condition();
        return switch (element) {
            case "persistence-unit" -> ++units > 1 ? element + " " + name : "";
            case "named-config" -> element + " " + name;
            case "user-overrides" ->
                element + " " + reader.getAttributeValue(null, "user")
                        + (inherited.isEmpty() ? "" : " of " + inherited);
            default -> inherited;
        };
    }

    /** The own files of Hibernate and c3p0 leave out the prefix. */
    private String prefixed(String name) {
        return switch (root) {
            case "c3p0-config" -> "c3p0." + name;
            case "hibernate-configuration" ->
                name.matches("(hibernate|jakarta|javax|eclipselink)\\..*") ? name : "hibernate." + name;
            default -> name;
        };
    }

    private FileLocation location(int offset) {
        int at = Collections.binarySearch(lineStarts, offset);
        int line = at >= 0 ? at : -at - 2;
        return new FileLocation(line + 1, offset - lineStarts.get(line) + 1);
    }
}
