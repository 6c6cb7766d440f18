package dev.penstock.races.hop;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Objects;

/** The settings of contestants, as files of this package with words such as {@code @PORT@} in them. */
final class HopSettings {
    private HopSettings() {}

    /**
     * Writes one.
     *
     * @param resource its name
     * @param folder where it goes
     * @param words what stands for what
     * @return the file
     */
    static Path write(String resource, Path folder, Map<String, String> words) throws IOException {
        String text;
        try (InputStream in = Objects.requireNonNull(HopSettings.class.getResourceAsStream(resource), resource)) {
            text = new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
        for (Map.Entry<String, String> word : words.entrySet()) {
            text = text.replace("@" + word.getKey() + "@", word.getValue());
        }
        return Files.writeString(folder.resolve(resource), text);
    }
}
