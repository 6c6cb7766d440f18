package dev.penstock.migrate;

import dev.penstock.gateway.config.ConfigProblems;
import dev.penstock.gateway.config.Quoted;
import dev.penstock.migrate.OldName.OldUse;
import java.time.Duration;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import org.jspecify.annotations.Nullable;

/**
 * The properties of a file as an older pool reads them: the last of equal names counts. An invalid value is reported
 * and replaced by a valid one. Not thread-safe.
 */
final class DatabaseProperties {
    private final ConfigProblems problems;
    private final List<PropertyLine> all;
    private final Map<String, PropertyLine> effective = new LinkedHashMap<>();
    private final Set<PropertyLine> used = new LinkedHashSet<>();

    DatabaseProperties(List<PropertyLine> all, ConfigProblems problems) {
        this.all = all;
        this.problems = problems;
        all.forEach(property -> effective.put(property.name(), property));
    }

    /** Whether any name can only be a property of a pool. */
    boolean hasPoolProperties() {
        return effective.keySet().stream().anyMatch(OldPools::isPoolProperty);
    }

    /** Reports what became of each property. */
    void drop(Leftovers leftovers) {
        boolean hasPool = hasPoolProperties();
        for (PropertyLine property : all) {
            OldName known = OldPools.of(property.name());
            if (used.contains(property)) {
                leftovers.use(property);
            } else if (known == null && !OldPools.isOfApplication(property.name())) {
                leftovers.dropUnknown(property, OldPools.unknown(property.name(), hasPool));
            } else {
                leftovers.drop(property, reason(property, known, hasPool));
            }
        }
    }

    private static String reason(PropertyLine property, @Nullable OldName known, boolean hasPool) {
        if (known == null) {
            return OldPools.unknown(property.name(), hasPool);
        }
        if (!known.why().isEmpty()) {
            return known.why();
        }
        if (property.hasPlaceholder()) {
            return "a placeholder without a default; set the key to its value";
        }
        return property.value().isBlank() ? "empty" : "another line takes precedence";
    }

    /** The properties with one of these meanings, in file order. */
    List<PropertyLine> all(OldUse... uses) {
        Set<OldUse> wanted = EnumSet.noneOf(OldUse.class);
        wanted.addAll(List.of(uses));
        return effective.values().stream()
                .filter(property -> {
                    OldName known = OldPools.of(property.name());
                    return known != null && wanted.contains(known.use());
                })
                .toList();
    }

    /** The last property with one of these meanings and a value; null when there is none. */
    @Nullable
    PropertyLine last(OldUse... uses) {
        List<PropertyLine> all = all(uses);
        PropertyLine last = null;
        for (PropertyLine property : all) {
            last = property.value().isBlank() ? last : property;
        }
        if (last != null) {
            used.add(last);
        }
        return last;
    }

    void markUsed(PropertyLine property) {
        used.add(property);
    }

    /** A value that may be shown. */
    @Nullable
    OldValue<String> text(OldUse... uses) {
        PropertyLine property = last(uses);
        return property == null ? null : new OldValue<>(property.value().strip(), property.shown());
    }

    /** A value that must not be shown. */
    @Nullable
    OldValue<String> hidden(OldUse... uses) {
        PropertyLine property = last(uses);
        return property == null ? null : new OldValue<>(property.value().strip(), property.named());
    }

    /** As {@link #hidden}, with the default of a placeholder in its place. */
    @Nullable
    OldValue<String> filled(OldUse use) {
        PropertyLine property = last(use);
        String value = property == null ? null : filled(property);
        return property == null || value == null ? null : new OldValue<>(value, property.named());
    }

    @Nullable
    OldValue<Integer> whole(OldUse use) {
        PropertyLine property = last(use);
        Long number = property == null ? null : number(property);
        return property == null || number == null ? null : new OldValue<>((int) (long) number, property.shown());
    }

    /** A time; 0 or less means no limit in the old pool. */
    @Nullable
    OldValue<Duration> time(OldUse millis, OldUse seconds) {
        PropertyLine property = last(millis, seconds);
        Long number = property == null ? null : number(property);
        if (property == null || number == null) {
            return null;
        }
        OldName known = OldPools.of(property.name());
        boolean inMillis = known == null || known.use() == millis;
        Duration time = inMillis ? Duration.ofMillis(number) : Duration.ofSeconds(number);
        return new OldValue<>(time, property.shown());
    }

    @Nullable
    OldValue<Boolean> flag(OldUse use) {
        PropertyLine property = last(use);
        if (property == null) {
            return null;
        }
        String value = filled(property);
        if (value == null) {
            return null;
        }
        boolean isSpring = property.name().startsWith("spring.");
        boolean isTrue = value.matches(isSpring ? "(?i:true|on|yes|1)" : "(?i:true)");
        if (!isTrue && !value.matches(isSpring ? "(?i:false|off|no|0)" : "(?i:false)")) {
            refuse(property, "is " + Quoted.of(value) + ", which is neither true nor false; write one of them");
        }
        return new OldValue<>(isTrue, property.shown());
    }

    /** The value, or the default of a placeholder; null for a placeholder without one, which stays unused. */
    private @Nullable String filled(PropertyLine property) {
        String value = property.value().strip();
        Matcher placeholder = YamlText.PLACEHOLDER.matcher(value);
        if (!placeholder.matches()) {
            return value;
        }
        String fallback = placeholder.group(2);
        if (fallback == null || fallback.substring(1).isBlank()) {
            used.remove(property);
            return null;
        }
        return fallback.substring(1).strip();
    }

    private @Nullable Long number(PropertyLine property) {
        String value = filled(property);
        if (value == null) {
            return null;
        }
        if (value.matches("-?\\d{1,9}|-?[01]\\d{9}")) {
            return Long.parseLong(value);
        }
        refuse(property, "is " + Quoted.of(value) + ", which is not a whole number; write for instance 30");
        return null;
    }

    void refuse(PropertyLine property, String text) {
        problems.add(property.location(), "'" + Quoted.plain(property.name()) + "' " + text);
    }

    void refuse(String text) {
        problems.add(text);
    }
}
