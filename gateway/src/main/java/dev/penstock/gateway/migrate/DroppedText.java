package dev.penstock.gateway.migrate;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Writes which properties have no place in the flow, and why. A name that the SDK does not know is not shown, only its line:
 * in a damaged file it may be a piece of a secret.
 */
final class DroppedText {
    private DroppedText() {}

    static void write(SdkProperties properties, SdkSettings sdk, YamlText yaml) {
        Map<String, List<String>> byReason = new LinkedHashMap<>();
        for (PropertyLine property : properties.left()) {
            String name = properties.nameInForce(property);
            String shown = name == null ? "line " + property.place().line() : name;
            String reason = name == null ? whyUnused(property) : SdkNames.whyNot(name, sdk);
            byReason.computeIfAbsent(reason, key -> new ArrayList<>()).add(shown);
        }
        yaml.notCarried(byReason);
    }

    private static String whyUnused(PropertyLine property) {
        if (SdkNames.knows(property.name())) {
            return "another line is in force, a later one or the merchant's own";
        }
        String last = property.name().substring(property.name().lastIndexOf('.') + 1);
        return SdkNames.knows(last)
                ? "of another merchant; give it a flow of its own"
                : "no property of the SDK 6.2.15, which does not read it either";
    }
}
