package dev.penstock.gateway.migrate;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Lists the dropped properties with reasons. For a name unknown to the SDK only its line is shown: in a damaged file it
 * may be part of a secret.
 */
final class DroppedText {
    private DroppedText() {}

    static void write(SdkProperties properties, SdkSettings sdk, YamlText yaml) {
        Map<String, List<String>> byReason = new LinkedHashMap<>();
        for (PropertyLine property : properties.unused()) {
            String name = properties.effectiveName(property);
            String shown = name == null ? "line " + property.location().line() : name;
            String why = name == null ? reason(property) : SdkNames.reason(name, sdk);
            byReason.computeIfAbsent(why, key -> new ArrayList<>()).add(shown);
        }
        yaml.dropped(byReason);
    }

    private static String reason(PropertyLine property) {
        if (SdkNames.knows(property.name())) {
            return "another line takes precedence, a later one or the merchant's own";
        }
        String last = property.name().substring(property.name().lastIndexOf('.') + 1);
        return SdkNames.knows(last)
                ? "for another merchant; define a separate flow for it"
                : "unknown to SDK 6.2.15, which ignores it too";
    }
}
