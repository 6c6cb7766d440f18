package dev.penstock.races.hop;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Objects;

/**
 * The configuration files of the contestants, from templates in this package with placeholders such as {@code @PORT@}.
 */
final class HopSettings {
    private HopSettings() {}

    /**
     * Writes a configuration file.
     *
     * @param resource the name of the template
     * @param folder the folder to write to
     * @param values the value of each placeholder
     * @return the file
     */
    static Path write(String resource, Path folder, Map<String, String> values) throws IOException {
        String text;
        try (InputStream in = Objects.requireNonNull(HopSettings.class.getResourceAsStream(resource), resource)) {
            text = new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
        for (Map.Entry<String, String> value : values.entrySet()) {
            text = text.replace("@" + value.getKey() + "@", value.getValue());
        }
        return Files.writeString(folder.resolve(resource), text);
    }
}
