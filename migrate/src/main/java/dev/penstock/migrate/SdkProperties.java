package dev.penstock.migrate;

import dev.penstock.gateway.config.ConfigProblems;
import dev.penstock.gateway.config.Quoted;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The properties of a file as the SDK reads them: the last of equal names counts, and a name prefixed with the merchant
 * id and a dot overrides the plain one. An invalid value is reported and replaced by a valid one. Not thread-safe.
 */
final class SdkProperties {
    private final List<PropertyLine> all;
    private final ConfigProblems problems;
    private final Map<String, PropertyLine> effective = new LinkedHashMap<>();
    private final Set<PropertyLine> used = new LinkedHashSet<>();

    SdkProperties(List<PropertyLine> all, ConfigProblems problems) {
        this.all = all;
        this.problems = problems;
        all.forEach(property -> effective.put(property.name(), property));
        PropertyLine merchant = effective.get("merchantID");
        if (merchant != null && !merchant.value().isEmpty()) {
            String prefix = merchant.value() + ".";
            all.stream()
                    .filter(property -> property.name().startsWith(prefix))
                    .forEach(property -> effective.put(property.name().substring(prefix.length()), property));
        }
    }

    /** Whether any of them is a property of the SDK. */
    boolean hasSdkProperties() {
        return effective.keySet().stream().anyMatch(SdkNames::knows);
    }

    /** The properties without effect on the flow, in file order. */
    List<PropertyLine> unused() {
        List<PropertyLine> unused = new ArrayList<>(all);
        unused.removeAll(used);
        return unused;
    }

    /** The name by which the SDK reads this property; null when it does not, or when another one overrides it. */
    @Nullable
    String effectiveName(PropertyLine property) {
        return effective.entrySet().stream()
                .filter(entry -> entry.getValue().equals(property) && SdkNames.knows(entry.getKey()))
                .map(Map.Entry::getKey)
                .findFirst()
                .orElse(null);
    }

    boolean has(String name) {
        return effective.containsKey(name);
    }

    /** Whether it is present and not empty. */
    boolean hasValue(String name) {
        PropertyLine property = effective.get(name);
        return property != null && !property.value().isEmpty();
    }

    /** A property whose value may be shown. */
    @Nullable
    OldValue<String> text(String name) {
        PropertyLine property = markUsed(name);
        return property == null
                ? null
                : new OldValue<>(
                        property.value().strip(),
                        property.named(name + "=" + property.value().strip()));
    }

    /** A property whose value must not be shown. */
    @Nullable
    OldValue<String> hidden(String name) {
        PropertyLine property = markUsed(name);
        return property == null ? null : new OldValue<>(property.value(), property.named(name));
    }

    /** True or false in the notation of the SDK, which includes 1 and 0. */
    OldValue<Boolean> flag(String name, boolean fallback) {
        OldValue<String> written = text(name);
        if (written == null) {
            return new OldValue<>(fallback, name + "=" + fallback + ", the SDK's default");
        }
        if (written.value().matches("1|(?i:true)")) {
            return new OldValue<>(true, written.from());
        }
        if (!written.value().matches("0|(?i:false)")) {
            refuse(name, "is " + Quoted.of(written.value()) + ", which is neither true nor false; write one of them");
        }
        return new OldValue<>(false, written.from());
    }

    /** A whole number of 32 bits. */
    OldValue<Integer> whole(String name, int fallback) {
        OldValue<String> written = text(name);
        if (written == null) {
            return new OldValue<>(fallback, name + "=" + fallback + ", the SDK's default");
        }
        try {
            return new OldValue<>(Integer.parseInt(written.value()), written.from());
        } catch (NumberFormatException none) {
            String is = written.value().isEmpty()
                    ? "is empty"
                    : "is " + Quoted.of(written.value()) + ", which is not a whole number up to 2147483647";
            refuse(name, is + "; write for instance " + fallback);
            return new OldValue<>(fallback, "");
        }
    }

    /** A positive number that the SDK requires; {@code example} is one. */
    OldValue<Integer> required(String name, int example) {
        if (!has(name)) {
            missing(name, example);
            return new OldValue<>(example, "");
        }
        return positive(name, example);
    }

    /** Marks properties as unused again. */
    void release(String... names) {
        for (String name : names) {
            used.remove(effective.get(name));
        }
    }

    /** A positive number. */
    OldValue<Integer> positive(String name, int fallback) {
        int before = problems.count();
        OldValue<Integer> number = whole(name, fallback);
        if (problems.count() == before && number.value() <= 0) {
            refuse(name, "is " + number.value() + ", but must be greater than 0; write for instance " + fallback);
        }
        return number;
    }

    static OldValue<Duration> millis(OldValue<Integer> number) {
        return new OldValue<>(Duration.ofMillis(number.value()), number.from());
    }

    /** Reports a problem of a property, with its remedy. */
    void refuse(String name, String text) {
        PropertyLine property = effective.get(name);
        if (property == null) {
            problems.add("'" + name + "' " + text);
        } else {
            problems.add(property.location(), "'" + name + "' " + text);
        }
    }

    private void missing(String name, int example) {
        for (PropertyLine property : all) {
            if (!SdkNames.knows(property.name())
                    && SdkNames.near(property.name()).filter(name::equals).isPresent()) {
                problems.add(
                        property.location(),
                        "'" + Quoted.plain(property.name()) + "' is not a property of the SDK; did you mean '" + name
                                + "', which is missing?");
                return;
            }
        }
        problems.add(
                "'" + name + "' is missing, but required by the SDK with useHttpClientWithConnectionPool=true; add for"
                        + " instance " + name + "=" + example);
    }

    private @Nullable PropertyLine markUsed(String name) {
        PropertyLine property = effective.get(name);
        if (property != null && !SdkNames.isDropped(name)) {
            used.add(property);
        }
        return property;
    }
}
