package dev.penstock.migrate;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The tables agree with the templates and the keys that they write to. */
class TableTest {
    private static boolean isIn(String template, String key) {
        return Table.lines(template).stream()
                .anyMatch(line -> line.contains("{" + key + "}") || line.contains("{" + key + "#}"));
    }

    @Test
    void everyNameHasAUseOrAReason() {
        assertThat(Stream.concat(Stream.of(PoolImport.TABLE), SettingsImport.PRODUCTS.stream())
                        .flatMap(table -> table.rows().stream()))
                .hasSizeGreaterThan(400)
                .allMatch(row -> !row.key().isEmpty() || !row.note().isEmpty());
    }

    @Test
    void everyKeyOfAStageIsInItsTemplate() {
        assertThat(SettingsImport.PRODUCTS.stream().flatMap(table -> table.rows().stream()))
                .filteredOn(row -> !row.key().isEmpty())
                .allMatch(row -> SettingsImport.PRODUCTS.getFirst().keys.containsKey(row.key()))
                .allMatch(row -> isIn("stages.yaml", row.key()));
    }

    @Test
    void everyKeyOfAPoolIsInItsTemplate() {
        assertThat(PoolImport.TABLE.rows())
                .filteredOn(row -> !row.key().isEmpty())
                .allMatch(row -> isIn("database.yaml", row.key()));
    }

    @ParameterizedTest
    @CsvSource({
        "resilience4j.retry.instances.a.max-attempts, retry, a, false, max-attempts",
        "resilience4j.retry.configs.a.x.y, retry, a, true, x.y",
        "resilience4j.thread-pool-bulkhead.instances[a.b].x, threadpoolbulkhead, a.b, false, x",
        "resilience4j.retry.retry-aspect-order, retry, '', false, retry-aspect-order",
        "hystrix.command.default.x.y, command, default, true, x.y",
        "hystrix.command.defaults.x, command, defaults, false, x",
        "hystrix.stream.x, hystrix, '', false, stream.x",
        "Connector.port, Connector, tomcat, false, port",
        "Connector[2].port, Connector, tomcat-2, false, port",
        "server.tomcat.threads.max, Connector, tomcat, false, threads.max",
        "Server.port, element, '', false, Server.port",
    })
    void nameHasItsPlace(String name, String section, String group, boolean isTemplate, String rest) {
        Table.Place place = SettingsImport.PRODUCTS.stream()
                .map(table -> table.place(name))
                .filter(found -> found != null)
                .findFirst()
                .orElseThrow();
        assertThat(List.of(place.section(), place.group(), place.isTemplate(), place.rest()))
                .containsExactly(section, group, isTemplate, rest);
    }
}
