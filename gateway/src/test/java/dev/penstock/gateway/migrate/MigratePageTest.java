package dev.penstock.gateway.migrate;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** docs/migrate.md lists every name that the import knows. */
class MigratePageTest {
    @Test
    void docsListEveryName() throws Exception {
        String guide = Files.readString(Path.of("..", "docs", "migrate.md"));
        Stream.of(HikariNames.ALL, C3p0Names.ALL)
                .map(Map::keySet)
                .flatMap(names -> names.stream())
                .forEach(name -> assertThat(guide).contains("`" + name + "`"));
    }
}
