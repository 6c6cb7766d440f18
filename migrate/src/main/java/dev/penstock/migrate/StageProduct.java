package dev.penstock.migrate;

import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** A library or server whose settings become stages or sources of flows. */
enum StageProduct {
    RESILIENCE4J("resilience4j", "resilience4j\\..*"),
    HYSTRIX("Hystrix", "hystrix\\..*"),
    TOMCAT("Tomcat", "Connector(\\[\\d+])?\\..*|server\\.tomcat\\..*");

    private static final Pattern INSTANCE = Pattern.compile(
            "resilience4j\\.([\\w-]+)\\.(instances|backends|limiters|configs)(?:\\.([^.\\[]+)|\\[([^\\]]+)])(?:\\.(.+))?");
    private static final Pattern RESILIENCE = Pattern.compile("resilience4j\\.([\\w-]+)\\.?(.*)");
    private static final Pattern COMMAND = Pattern.compile("hystrix\\.(command|threadpool|collapser)\\.([^.]+)\\.(.+)");
    private static final Pattern CONNECTOR = Pattern.compile("Connector(?:\\[(\\d+)])?\\.(.+)");
    private static final Pattern SPRING_SERVER = Pattern.compile("server\\.(?:tomcat\\.)?(.+)");
    private static final Pattern ELEMENT = Pattern.compile("[A-Z]\\w*(\\..+)?");

    /** For comments. */
    final String title;

    private final Pattern own;

    StageProduct(String title, String own) {
        this.title = title;
        this.own = Pattern.compile(own, Pattern.DOTALL);
    }

    /** The table of its names. */
    StageNames names() {
        return switch (this) {
            case RESILIENCE4J -> ResilienceNames.ALL;
            case HYSTRIX -> HystrixNames.ALL;
            case TOMCAT -> TomcatNames.ALL;
        };
    }

    boolean isIn(List<PropertyLine> lines) {
        return lines.stream().anyMatch(line -> own.matcher(line.name()).matches());
    }

    /** The place of a property; null when it is of another product. */
    @Nullable
    OldPlace place(String name) {
        return switch (this) {
            case RESILIENCE4J -> resilience(name);
            case HYSTRIX -> hystrix(name);
            case TOMCAT -> tomcat(name);
        };
    }

    private static @Nullable OldPlace resilience(String name) {
        Matcher instance = INSTANCE.matcher(name);
        if (instance.matches()) {
            String group = instance.group(3) == null ? instance.group(4) : instance.group(3);
            boolean template = instance.group(2).equals("configs");
            String rest = instance.group(5) == null ? "" : instance.group(5);
            return new OldPlace(section(instance.group(1)), String.valueOf(group), template, rest);
        }
        Matcher other = RESILIENCE.matcher(name);
        return other.matches() ? new OldPlace(section(other.group(1)), "", false, other.group(2)) : null;
    }

    private static String section(String written) {
        return written.replaceAll("[-_]", "").toLowerCase(Locale.ROOT);
    }

    private static @Nullable OldPlace hystrix(String name) {
        Matcher command = COMMAND.matcher(name);
        if (command.matches()) {
            String group = command.group(2);
            return new OldPlace(command.group(1), group, group.equals("default"), command.group(3));
        }
        return name.startsWith("hystrix.")
                ? new OldPlace("hystrix", "", false, name.substring("hystrix.".length()))
                : null;
    }

    private static @Nullable OldPlace tomcat(String name) {
        Matcher connector = CONNECTOR.matcher(name);
        if (connector.matches()) {
            String number = connector.group(1);
            return new OldPlace("Connector", number == null ? "tomcat" : "tomcat-" + number, false, connector.group(2));
        }
        Matcher server = SPRING_SERVER.matcher(name);
        if (server.matches()) {
            return new OldPlace("Connector", "tomcat", false, server.group(1));
        }
        return ELEMENT.matcher(name).matches() ? new OldPlace("", "", false, name) : null;
    }

    /**
     * Where a property belongs.
     *
     * @param section the part of the product, as in its {@link StageNames}
     * @param group the instance, command or connector; empty when it is for the product as a whole
     * @param template whether the group is one of defaults for others
     * @param rest the name within the group; empty for an instance without settings
     */
    record OldPlace(String section, String group, boolean template, String rest) {
        String name() {
            return section + "." + rest;
        }
    }
}
