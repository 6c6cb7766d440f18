package dev.penstock.gateway.file;

import dev.penstock.Ticker;
import dev.penstock.gateway.config.BadConfig;
import dev.penstock.gateway.config.ConfigMapping;
import dev.penstock.gateway.config.ConfigProblems;
import dev.penstock.gateway.config.FileKeys;
import dev.penstock.gateway.config.GatewayConfig;
import dev.penstock.gateway.config.Key;
import dev.penstock.gateway.config.KeyType;
import dev.penstock.gateway.config.WatchedFiles;
import dev.penstock.gateway.transport.Transports;
import java.nio.file.Path;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The flows of a program that embeds them, read from its properties: the keys of a flow file, without sources.
 *
 * @param root what the names of all properties begin with
 * @param transports the kinds of targets
 */
public record EmbeddedFlows(String root, Transports transports) {
    /**
     * A property of the program.
     *
     * @param path its name after the root, such as {@code flows}, {@code payments}, {@code max-body}; an element of a list
     *     is {@code [0]}. Forms with dashes and upper case stand for those with underscores
     * @param value as in a flow file, placeholders included; empty for none
     * @param origin where it was set, for messages
     * @param source a number for all properties that were set there; their lists are not merged with others
     */
    public record Property(List<String> path, String value, String origin, int source) {}

    /**
     * Reads all properties.
     *
     * @param properties of two that set the same, the first counts
     * @param variables returns the value of a property that a placeholder names; null when it is not set
     * @throws BadConfig the properties have errors; each line begins with a property and its origin
     */
    public FlowFile read(List<Property> properties, Function<String, @Nullable String> variables) throws BadConfig {
        ConfigProblems problems = new ConfigProblems();
        FlowFileReader reader = new FlowFileReader(transports, true);
        PropertyText text = PropertyText.of(root, properties, reader.schema());
        Path folder = Path.of("").toAbsolutePath();
        ConfigMapping top = ConfigMapping.ofProperties(
                text.text(), variables, folder, reader.schema(), problems, new WatchedFiles(Ticker.SYSTEM));
        GatewayConfig config = top == null ? null : reader.read(top);
        if (config == null || problems.count() > 0) {
            throw BadConfig.of(text::where, problems);
        }
        return new FlowFile(
                config, CrossFieldRules.warnings(config, transports).warningLines(text::where), FileKeys.NONE);
    }

    /** Passes each key with its path, for instance {@code flows.NAME.retry.attempts}, parents first. */
    public void walk(BiConsumer<String, Key<?>> to) {
        new FlowFileReader(transports, true).schema().walk("", to);
        for (Key<?> target : transports.targets("").keys()) {
            KeyType<?> collapse = transports.collapse(target.name());
            if (collapse != null) {
                collapse.mappings().forEach(mapping -> mapping.walk(KeyEntry.FLOW + "collapse.", to));
            }
        }
    }
}
