package dev.penstock.spring;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.gateway.config.Key;
import dev.penstock.text.Json;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** What editors know of the properties is derived from the keys of the flow file. */
class ConfigurationMetadataTest {
    private static final Path FILE = Path.of("src/main/resources/META-INF/spring-configuration-metadata.json");

    /** One line for each, so that a change of a key is a change of a line. */
    private static String metadata() {
        List<Map<String, Object>> properties = new ArrayList<>();
        FlowProperties.READER.walk((path, key) -> {
            if (path.endsWith(".to.method")) {
                return; // added to flows without a target, not written
            }
            boolean mapping = !key.type().mappings().isEmpty();
            if (!mapping || !key.type().range().equals("a mapping")) {
                properties.add(property(path, key));
            } else if (path.equals("flows")) {
                properties.add(Json.object(
                        "name", "penstock.flows",
                        "type", "java.util.Map<java.lang.String,java.lang.Object>",
                        "description", "The flows, each with a name."));
            }
        });
        return "{\"properties\": [\n"
                + properties.stream().map(Json::write).distinct().collect(Collectors.joining(",\n"))
                + "\n]}\n";
    }

    private static Map<String, Object> property(String path, Key<?> key) {
        String absent = key.isRequired()
                ? "Required."
                : "Default: " + (key.whenAbsent().isEmpty() ? "none" : key.whenAbsent()) + ".";
        String help = Character.toUpperCase(key.help().charAt(0)) + key.help().substring(1);
        return Json.object(
                "name", "penstock." + path.replace("NAME", "*").replace('_', '-'),
                "type", type(key),
                "description", help + ": " + key.type().range() + ". " + absent);
    }

    private static String type(Key<?> key) {
        return switch (key.type().range()) {
            case "true, false" -> "java.lang.Boolean";
            case String range when range.matches("\\d+\\.\\.\\d+") && !key.isAuto() -> "java.lang.Integer";
            default -> "java.lang.String";
        };
    }

    @Test
    void metadataIsThatOfTheKeys() throws Exception {
        String now = metadata();
        if (Boolean.getBoolean("penstock.write")) {
            Files.writeString(FILE, now);
        }
        assertThat(Files.readString(FILE))
                .as("write it anew: mvn -pl spring-boot-autoconfigure -am test -Dtest=ConfigurationMetadataTest"
                        + " -Dpenstock.write=true -Dsurefire.failIfNoSpecifiedTests=false")
                .isEqualTo(now);
        assertThat(now).contains("\"penstock.flows.*.retry.attempts\"", "\"penstock.flows.*.pool.connect-timeout\"");
    }
}
