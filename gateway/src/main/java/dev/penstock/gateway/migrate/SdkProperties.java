package dev.penstock.gateway.migrate;

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
 * The properties of a file as the SDK looks them up: the last of a name counts, and one that begins with the merchant's id
 * and a dot goes before a plain one. What is wrong is told, and something of the right kind stands in for it. For one
 * thread.
 */
final class SdkProperties {
    private final List<PropertyLine> all;
    private final ConfigProblems problems;
    private final Map<String, PropertyLine> inForce = new LinkedHashMap<>();
    private final Set<PropertyLine> taken = new LinkedHashSet<>();

    SdkProperties(List<PropertyLine> all, ConfigProblems problems) {
        this.all = all;
        this.problems = problems;
        all.forEach(property -> inForce.put(property.name(), property));
        PropertyLine merchant = inForce.get("merchantID");
        if (merchant != null && !merchant.value().isEmpty()) {
            String prefix = merchant.value() + ".";
            all.stream()
                    .filter(property -> property.name().startsWith(prefix))
                    .forEach(property -> inForce.put(property.name().substring(prefix.length()), property));
        }
    }

    /** Whether any of them is one of the SDK. */
    boolean areTheSdks() {
        return inForce.keySet().stream().anyMatch(SdkNames::knows);
    }

    /** The properties that nothing of the flow comes from, in their order. */
    List<PropertyLine> left() {
        List<PropertyLine> left = new ArrayList<>(all);
        left.removeAll(taken);
        return left;
    }

    /** The name that the SDK looks this property up by; null when it never does, or takes another one in its place. */
    @Nullable
    String nameInForce(PropertyLine property) {
        return inForce.entrySet().stream()
                .filter(entry -> entry.getValue().equals(property) && SdkNames.knows(entry.getKey()))
                .map(Map.Entry::getKey)
                .findFirst()
                .orElse(null);
    }

    boolean has(String name) {
        return inForce.containsKey(name);
    }

    /** Whether it is there and not empty. */
    boolean hasValue(String name) {
        PropertyLine property = inForce.get(name);
        return property != null && !property.value().isEmpty();
    }

    /** A property whose value may be shown. */
    @Nullable
    OldValue<String> text(String name) {
        PropertyLine property = take(name);
        return property == null
                ? null
                : new OldValue<>(
                        property.value().strip(), name + "=" + property.value().strip());
    }

    /** A property whose value is not shown. */
    @Nullable
    OldValue<String> hidden(String name) {
        PropertyLine property = take(name);
        return property == null ? null : new OldValue<>(property.value(), name);
    }

    /** True or false, as the SDK writes them: also 1 or 0. */
    OldValue<Boolean> flag(String name, boolean otherwise) {
        OldValue<String> written = text(name);
        if (written == null) {
            return new OldValue<>(otherwise, name + "=" + otherwise + ", the SDK's default");
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
    OldValue<Integer> whole(String name, int otherwise) {
        OldValue<String> written = text(name);
        if (written == null) {
            return new OldValue<>(otherwise, name + "=" + otherwise + ", the SDK's default");
        }
        try {
            return new OldValue<>(Integer.parseInt(written.value()), written.from());
        } catch (NumberFormatException none) {
            String is = written.value().isEmpty()
                    ? "is empty"
                    : "is " + Quoted.of(written.value()) + ", which is not a whole number up to 2147483647";
            refuse(name, is + "; write for instance " + otherwise);
            return new OldValue<>(otherwise, "");
        }
    }

    /** A number above 0 that the SDK does not do without; {@code example} is one. */
    OldValue<Integer> required(String name, int example) {
        if (!has(name)) {
            missing(name, example);
            return new OldValue<>(example, "");
        }
        return positive(name, example);
    }

    /** Says that nothing of the flow comes from these after all. */
    void release(String... names) {
        for (String name : names) {
            taken.remove(inForce.get(name));
        }
    }

    /** A number above 0. */
    OldValue<Integer> positive(String name, int otherwise) {
        int before = problems.count();
        OldValue<Integer> number = whole(name, otherwise);
        if (problems.count() == before && number.value() <= 0) {
            refuse(name, "is " + number.value() + ", and must be more than 0; write for instance " + otherwise);
        }
        return number;
    }

    static OldValue<Duration> millis(OldValue<Integer> number) {
        return new OldValue<>(Duration.ofMillis(number.value()), number.from());
    }

    /** Tells what is wrong with a property, and what to do. */
    void refuse(String name, String text) {
        PropertyLine property = inForce.get(name);
        if (property == null) {
            problems.add("'" + name + "' " + text);
        } else {
            problems.add(property.place(), "'" + name + "' " + text);
        }
    }

    private void missing(String name, int example) {
        for (PropertyLine property : all) {
            if (!SdkNames.knows(property.name())
                    && SdkNames.near(property.name()).filter(name::equals).isPresent()) {
                problems.add(
                        property.place(),
                        "'" + Quoted.plain(property.name()) + "' is no property of the SDK; did you mean '" + name
                                + "', which is missing?");
                return;
            }
        }
        problems.add(
                "'" + name + "' is missing, and with useHttpClientWithConnectionPool=true the SDK needs it; add for"
                        + " instance " + name + "=" + example);
    }

    private @Nullable PropertyLine take(String name) {
        PropertyLine property = inForce.get(name);
        if (property != null && !SdkNames.isNeverCarried(name)) {
            taken.add(property);
        }
        return property;
    }
}
