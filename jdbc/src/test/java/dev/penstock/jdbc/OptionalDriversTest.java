package dev.penstock.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.flow.Flow;
import dev.penstock.jdbc.guard.GuardedDataSource;
import dev.penstock.jdbc.store.JdbcIdempotencyStore;
import java.io.File;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Runs programs whose class path lacks drivers. */
class OptionalDriversTest {
    private static final String POSTGRESQL = "postgresql-";
    private static final String H2 = "h2-";
    private static final String SQLITE = "sqlite-jdbc-";

    @TempDir
    Path folder;

    @Test
    void otherDatabasesNeedNeitherPostgresqlNorH2() throws Exception {
        assertThat(output(Insert.class, POSTGRESQL, H2)).contains("Updated[count=1]");
    }

    @Test
    void namesTheMissingJar() throws Exception {
        assertThat(output(Missing.class, POSTGRESQL, H2, SQLITE))
                .contains(
                        "no suitable JDBC driver for jdbc:postgresql://db.example/billing: add org.postgresql:postgresql to",
                        "no suitable JDBC driver for jdbc:h2:mem:billing: add com.h2database:h2 to",
                        "add org.xerial:sqlite-jdbc to");
    }

    /** Inserts a row into SQLite. */
    static final class Insert {
        public static void main(String[] folder) throws Exception {
            try (GuardedDataSource database = GuardedDataSource.at("jdbc:sqlite:" + folder[0] + "/billing.db")
                            .initSql("create table if not exists payment(id varchar(40) primary key)")
                            .build();
                    JdbcTarget inserts = JdbcTarget.on(database)
                            .statement("insert into payment(id) values (:id)")
                            .build()) {
                Flow<JdbcRequest, JdbcAnswer> payments =
                        Flow.named("payments").to(JdbcBatch.over(inserts).collapse());
                System.out.println(payments.call(JdbcRequest.of("id", "p-1")));
            }
        }
    }

    /** Needs all three drivers. */
    static final class Missing {
        public static void main(String[] folder) {
            print(() -> GuardedDataSource.at("jdbc:postgresql://db.example/billing"));
            print(() -> GuardedDataSource.at("jdbc:h2:mem:billing"));
            print(() -> JdbcIdempotencyStore.inFile(Path.of(folder[0], "keys")));
        }

        private static void print(Runnable fails) {
            try {
                fails.run();
            } catch (IllegalArgumentException missing) {
                System.out.println(missing.getMessage());
            }
        }
    }

    private String output(Class<?> program, String... withoutJars) throws Exception {
        String classPath = Stream.of(System.getProperty("java.class.path").split(File.pathSeparator))
                .filter(entry -> Stream.of(withoutJars)
                        .noneMatch(
                                jar -> Path.of(entry).getFileName().toString().startsWith(jar)))
                .collect(Collectors.joining(File.pathSeparator));
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "--enable-native-access=ALL-UNNAMED",
                        "-cp",
                        classPath,
                        program.getName(),
                        folder.toString())
                .redirectErrorStream(true)
                .start();
        try (var output = process.getInputStream()) {
            return new String(output.readAllBytes(), StandardCharsets.UTF_8);
        }
    }
}
