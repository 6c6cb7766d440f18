package dev.penstock.gateway.config;

import dev.penstock.collapse.Collapse;
import dev.penstock.collapse.Prefer;
import dev.penstock.gateway.config.CollapseConfig.Format;
import dev.penstock.gateway.config.CollapseKind.Budget;
import dev.penstock.gateway.config.CollapseKind.JdbcCollapse;
import dev.penstock.gateway.config.CollapseKind.JmsCollapse;
import java.net.URI;
import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Reads {@code collapse}: batching of several requests into one call. */
final class CollapseReader {
    private static final String EXAMPLE = "url: \"https://gateway.example/v1/batch\"";

    private static final Keys COLLAPSE = Keys.of(
            "collapse",
            "url (uri path to), headers, format (codec type), max (size length), max_bytes, "
                    + "budget (window wait linger time delay), prefer, key (id), status, in_body, per (scope by), "
                    + "same (equal merge), halve (split halves)");

    private static final Keys OF_JDBC = Keys.of(
            "collapse", "max (size length), budget (window wait linger), prefer, key (order per), lookup (by column)");

    private static final Keys OF_JMS = Keys.of("collapse", "max (size length), budget (window wait linger), prefer");

    private static final Pattern PERCENT = Pattern.compile("(\\d{1,3}(?:\\.\\d{1,3})?) ?%");

    private static final Configured<Prefer> PREFER = Configured.byDefault(Prefer.AUTO);

    private CollapseReader() {}

    static @Nullable CollapseConfig read(@Nullable ConfigValue value) {
        ConfigMapping collapse = value == null ? null : value.mapping(COLLAPSE, "collapse: { " + EXAMPLE + " }");
        if (value == null || collapse == null) {
            return null;
        }
        Configured<URI> url = collapse.required("url", EXAMPLE, TargetUrl::read);
        ConfigValue headers = collapse.get("headers");
        CollapseConfig read = new CollapseConfig(
                value.location(),
                url == null
                        ? Configured.byDefault("")
                        : Configured.inFile(url.value().toString(), url.location()),
                headers == null ? null : HttpReader.headers(headers),
                collapse.read("format", Format.JSON_ARRAY, CollapseReader::format),
                collapse.integer("max", Collapse.DEFAULT_MAX, 1, Collapse.LARGEST_BATCH),
                collapse.size("max_bytes", "1MB", "1KB", "1GB"),
                collapse.unlessAuto("budget", CollapseReader::budget),
                prefer(collapse),
                collapse.ifGiven("key", CollapseReader::member),
                collapse.ifGiven("status", CollapseReader::member),
                collapse.ifGiven("in_body", CollapseReader::member),
                collapse.ifGiven("per", names -> HeaderNames.several(names, "per: Tenant")),
                collapse.bool("same", false),
                collapse.bool("halve", true));
        return url == null ? null : read;
    }

    /** Reads the {@code collapse} of a flow to a database. */
    static @Nullable JdbcCollapse ofJdbc(@Nullable ConfigValue value) {
        if (value == null) {
            return null;
        }
        // No key is required, so "auto" is complete.
        if (value.is("auto")) {
            return new JdbcCollapse(
                    value.location(), Configured.byDefault(Collapse.DEFAULT_MAX), null, PREFER, null, null);
        }
        ConfigMapping collapse = value.mapping(OF_JDBC, "collapse: { max: 100 }, or collapse: auto");
        return collapse == null
                ? null
                : new JdbcCollapse(
                        value.location(),
                        collapse.integer("max", Collapse.DEFAULT_MAX, 1, Collapse.LARGEST_BATCH),
                        collapse.unlessAuto("budget", CollapseReader::budget),
                        prefer(collapse),
                        collapse.ifGiven("key", CollapseReader::name),
                        collapse.ifGiven("lookup", CollapseReader::name));
    }

    /** Reads the {@code collapse} of a flow to a queue. */
    static @Nullable JmsCollapse ofJms(@Nullable ConfigValue value) {
        if (value == null) {
            return null;
        }
        if (value.is("auto")) {
            return new JmsCollapse(value.location(), Configured.byDefault(Collapse.DEFAULT_MAX), null, PREFER);
        }
        ConfigMapping collapse = value.mapping(OF_JMS, "collapse: { max: 100 }, or collapse: auto");
        return collapse == null
                ? null
                : new JmsCollapse(
                        value.location(),
                        collapse.integer("max", Collapse.DEFAULT_MAX, 1, Collapse.LARGEST_BATCH),
                        collapse.unlessAuto("budget", CollapseReader::budget),
                        prefer(collapse));
    }

    private static @Nullable String name(ConfigValue value) {
        String name = value.text();
        if (name == null || !name.isBlank()) {
            return name;
        }
        value.refuse("is empty", "write a name, or leave it out");
        return null;
    }

    private static @Nullable Format format(ConfigValue value) {
        return value.oneOf(
                Format.values(),
                Format::keyword,
                "which is not a supported batch format",
                "write json-array or ndjson, or give a format of your own in Java");
    }

    private static Configured<Prefer> prefer(ConfigMapping collapse) {
        return collapse.read("prefer", Prefer.AUTO, CollapseReader::prefer);
    }

    private static @Nullable Prefer prefer(ConfigValue value) {
        return value.oneOf(
                Prefer.values(), Prefer::label, "which is not a valid preference", "write auto, calls or latency");
    }

    private static @Nullable Budget budget(ConfigValue value) {
        String written = value.text();
        if (written == null) {
            return null;
        }
        if (!written.contains("%")) {
            Duration time = value.duration("0s", "1m");
            return time == null ? null : new Budget.Time(time);
        }
        Matcher percent = PERCENT.matcher(written);
        double share = percent.matches() ? Double.parseDouble(percent.group(1)) / 100 : -1;
        if (share >= 0 && share <= 1) {
            return new Budget.Share(share);
        }
        value.refuseValue("which is not a percentage", "write 0% to 100%, a duration such as 20ms, or auto");
        return null;
    }

    private static @Nullable String member(ConfigValue value) {
        String name = value.text();
        if (name == null || !name.isBlank()) {
            return name;
        }
        value.refuse("is empty", "write the name of a member of a JSON object, or leave it out");
        return null;
    }
}
