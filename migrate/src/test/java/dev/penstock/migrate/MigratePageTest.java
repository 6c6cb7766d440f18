package dev.penstock.migrate;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** docs/migrate.md lists every name of a pool that the import knows, and those of other libraries that it converts. */
class MigratePageTest {
    @Test
    void docsListEveryName() throws Exception {
        String guide = Files.readString(Path.of("..", "docs", "migrate.md"));
        Stream<String> pools = Stream.of(HikariNames.ALL, C3p0Names.ALL).flatMap(names -> names.names().stream());
        Stream<String> stages = Stream.of(ResilienceNames.ALL, HystrixNames.ALL, TomcatNames.ALL)
                .flatMap(names -> names.all().values().stream())
                .filter(name -> name.key() != FlowKey.NONE)
                .map(name -> name.name().substring(name.name().indexOf('.') + 1));
        Stream.concat(pools, stages).forEach(name -> assertThat(guide).contains("`" + name + "`"));
    }
}
