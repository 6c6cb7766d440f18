package dev.penstock.migrate;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.migrate.Table.Row;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** docs/migrate.md lists every name of a pool that the import knows, and those of other libraries that it converts. */
class MigratePageTest {
    @Test
    void docsListEveryName() throws Exception {
        String guide = Files.readString(Path.of("..", "docs", "migrate.md"));
        Stream<Row> pools = Stream.of("hikari", "c3p0").flatMap(name -> PoolImport.TABLE.rows(name).stream());
        Stream<Row> stages = SettingsImport.PRODUCTS.stream()
                .flatMap(table -> table.rows().stream())
                .filter(row -> !row.key().isEmpty());
        assertThat(Stream.concat(pools, stages))
                .hasSizeGreaterThan(90)
                .allSatisfy(row -> assertThat(guide).contains("`" + row.name() + "`"));
    }
}
