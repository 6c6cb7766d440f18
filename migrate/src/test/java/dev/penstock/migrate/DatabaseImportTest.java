package dev.penstock.migrate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.zaxxer.hikari.HikariConfig;
import dev.penstock.gateway.config.BadConfig;
import dev.penstock.gateway.config.PoolConfig;
import dev.penstock.gateway.file.FlowFile;
import dev.penstock.migrate.Table.Row;
import java.lang.reflect.Method;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The flow files generated from files of older database connection pools. */
class DatabaseImportTest {
    /** The original pool: its connections were killed when idle for 30 min, and its settings are guesses against that. */
    private static final String ORIGIN = """
            hibernate.connection.driver_class=org.postgresql.Driver
            hibernate.connection.url=jdbc:postgresql://db.example/billing
            hibernate.connection.username=billing
            hibernate.connection.password=s3cr3t
            hibernate.connection.prepareThreshold=3
            hibernate.connection.sslpassword=s3cr3t
            hibernate.dialect=org.hibernate.dialect.PostgreSQLDialect
            hibernate.c3p0.max_size=30
            hibernate.c3p0.min_size=0
            hibernate.c3p0.timeout=1200
            hibernate.c3p0.idle_test_period=300
            hibernate.c3p0.acquire_increment=1
            hibernate.c3p0.max_statements=50
            hibernate.c3p0.validate=true
            hibernate.c3p0.preferredTestQuery=SELECT 1
            hibernate.c3p0.checkoutTimeout=5000
            hibernate.c3p0.unreturnedConnectionTimeout=60
            hibernate.c3p0.privilegeSpawnedThreads=false
            """;

    private static final String HIKARI = """
            jdbcUrl=jdbc:postgresql://db.example/billing?sslpassword=s3cr3t
            username=billing
            password=s3cr3t
            maximumPoolSize=20
            minimumIdle=5
            connectionTimeout=2500
            idleTimeout=600000
            maxLifetime=1800000
            keepaliveTime=30000
            validationTimeout=250
            autoCommit=false
            transactionIsolation=TRANSACTION_READ_COMMITTED
            connectionInitSql=set statement_timeout = '5s'
            leakDetectionThreshold=10000
            poolName=billing
            dataSource.prepareThreshold=3
            maximunPoolSize=7
            """;

    @TempDir
    Path folder;

    @Test
    void theUrlOfDbcpIsFound() throws Exception {
        String yaml = yaml("driverClassName=org.h2.Driver\nusername=sa\nurl=jdbc:h2:mem:x\nmaxTotal=5\n");

        assertThat(yaml).contains("url: \"jdbc:h2:mem:x\"  # url (line 3)").doesNotContain("not in the old file: the");
    }

    private String yaml(String properties) throws Exception {
        Path file = Files.writeString(folder.resolve("old.properties"), properties, StandardCharsets.ISO_8859_1);
        return SettingsImport.flowFile(file);
    }

    private PoolConfig pool(String yaml) throws Exception {
        Path file = Files.writeString(folder.resolve("flows.yaml"), yaml);
        Map<String, String> variables =
                Map.of("DATABASE_PASSWORD", "p", "DATABASE_URL", "jdbc:postgresql://db.example/x?a=b");
        return FlowFile.read(file, variables::get)
                .config()
                .flows()
                .getFirst()
                .to()
                .pool();
    }

    @Test
    void hidesAMisspelledPassword() throws Exception {
        assertThat(yaml("hibernate.connection.url=jdbc:postgresql://db.example/billing\n"
                        + "hibernate.connection.pasword=s3cr3t\n"))
                .contains(".property(\"pasword\", secret)")
                .doesNotContain("s3cr3t");
    }

    @Test
    void importsHibernateFileWithC3p0() throws Exception {
        String yaml = yaml(ORIGIN);
        assertThat(yaml)
                .contains(
                        "        url: \"jdbc:postgresql://db.example/billing\"  # hibernate.connection.url (line 2)\n",
                        "        password: \"${DATABASE_PASSWORD}\"  # hibernate.connection.password (line 4), not shown;",
                        "      max: 30  # hibernate.c3p0.max_size=30 (line 8); pinned to the old value, auto would follow the demand\n",
                        "      wait: 5s  # hibernate.c3p0.checkoutTimeout=5000 (line 16);",
                        "hibernate.c3p0.timeout=1200 (line 10): was an estimate of that time",
                        "#   DataSource database = GuardedDataSource.at(\"jdbc:postgresql://db.example/billing\")\n",
                        "#           .max(30)  // hibernate.c3p0.max_size=30 (line 8)\n",
                        "#           .warm(0)  // hibernate.c3p0.min_size=0 (line 9)\n",
                        "#           .borrowTimeout(Duration.ofSeconds(5))",
                        "#           .property(\"prepareThreshold\", \"3\")",
                        "#           .property(\"sslpassword\", secret)  // hibernate.connection.sslpassword (line 6), not shown\n",
                        "// only for a driver older than JDBC 4: .testQuery(\"SELECT 1\")",
                        "hibernate.dialect (line 7): not about connections; stays with Hibernate",
                        "hibernate.c3p0.idle_test_period (line 11): not needed: idle connections")
                .doesNotContain("s3cr3t");
        PoolConfig pool = pool(yaml);
        assertThat(Objects.requireNonNull(pool.max()).value()).isEqualTo(30);
        assertThat(Objects.requireNonNull(pool.waiting()).value()).isEqualTo(Duration.ofSeconds(5));
        assertThat(pool.idle()).isNull();
    }

    @Test
    void importsHikariFile() throws Exception {
        String yaml = yaml(HIKARI);
        assertThat(yaml)
                .contains(
                        "        url: \"${DATABASE_URL}\"  # jdbcUrl (line 1), not shown because it may contain secrets; set DATABASE_URL to it\n",
                        "      wait: 2500ms  # connectionTimeout=2500 (line 6);",
                        "      max_age: 30m  # maxLifetime=1800000 (line 8)\n",
                        "#           .autoCommit(false)  // autoCommit=false (line 11)\n",
                        "#           .isolation(\"TRANSACTION_READ_COMMITTED\")",
                        "#           .initSql(\"set statement_timeout = '5s'\")",
                        "#           .property(\"prepareThreshold\", \"3\")  // dataSource.prepareThreshold (line 16)\n",
                        "did you mean maximumPoolSize?")
                .doesNotContain("s3cr3t");
        assertThat(Objects.requireNonNull(pool(yaml).maxAge()).value()).isEqualTo(Duration.ofMinutes(30));
    }

    @ParameterizedTest
    @ValueSource(strings = {ORIGIN, HIKARI})
    void everyPropertyIsConvertedOrListed(String properties) throws Exception {
        String yaml = yaml(properties).replaceAll("\n *# *", " ");
        assertThat(properties.lines()).allSatisfy(line -> {
            String name = line.substring(0, line.indexOf('='));
            assertThat(yaml).contains(name);
        });
    }

    @Test
    void importsSpringFile() throws Exception {
        String yaml = yaml("""
                spring.datasource.url=jdbc:h2:mem:x
                spring.datasource.username=sa
                spring.datasource.password=s3cr3t
                spring.datasource.hikari.maximum-pool-size=12
                spring.datasource.hikari.connection-timeout=0
                spring.datasource.hikari.read-only=true
                spring.datasource.hikari.data-source-properties.cacheSize=7
                server.port=8080
                """);
        assertThat(yaml)
                .contains(
                        "max: 12  # spring.datasource.hikari.maximum-pool-size=12",
                        "wait: 1h  # spring.datasource.hikari.connection-timeout=0 (line 5); 0 means no limit, the maximum here is 1h",
                        ".readOnly(true)",
                        ".property(\"cacheSize\", \"7\")")
                .doesNotContain("s3cr3t");
    }

    @Test
    void importsC3p0FileWithOracleUrl() throws Exception {
        String yaml = yaml("""
                c3p0.jdbcUrl=jdbc:oracle:thin:@db.example:1521:billing
                c3p0.maxPoolSize=5000
                c3p0.maxConnectionAge=3600
                c3p0.maxIdleTime=0
                """);
        assertThat(yaml)
                .contains(
                        "url: \"jdbc:oracle:thin:@db.example:1521:billing\"",
                        "max: 1000  # c3p0.maxPoolSize=5000 (line 2); allowed here: 1 to 1000",
                        "max_age: 1h  # c3p0.maxConnectionAge=3600",
                        "c3p0.maxIdleTime=0 (line 4): idle connections were never closed");
        assertThat(yaml("c3p0.jdbcUrl=jdbc:oracle:thin:me/s3cr3t@db:1521:x\n")).doesNotContain("s3cr3t");
    }

    /** Most files have a URL and nothing about the pool, so nothing is pinned. */
    @Test
    void poolWithoutSettingsIsAutomatic() throws Exception {
        String yaml = yaml("jdbcUrl=jdbc:postgresql://db.example/billing\nidleTimeout=60000\nminimumIdle=5\n");
        assertThat(yaml).contains("    # pool:\n      # max: auto  #", "idleTimeout=60000 (line 2): was an estimate");
        assertThat(pool(yaml).max()).isNull();
    }

    @Test
    void reportsValueThatTheOldPoolRejectsWithItsLine() throws Exception {
        Path file = Files.writeString(folder.resolve("old.properties"), """
                c3p0.maxPoolSize=many
                hibernate.connection.autocommit=perhaps
                hibernate.connection.url=db.example
                """);
        BadConfig bad = catchThrowableOfType(BadConfig.class, () -> SettingsImport.flowFile(file));
        assertThat(bad.lines().stream().map(line -> line.replace(file.toString(), "f")))
                .containsExactlyInAnyOrder(
                        "f:1:1: 'c3p0.maxPoolSize' is \"many\", which is not a whole number; write for instance 30",
                        "f:2:1: 'hibernate.connection.autocommit' is \"perhaps\", which is neither true nor false; write one of them",
                        "f: 'hibernate.connection.url' is not a JDBC URL; write for instance jdbc:postgresql://db.example/billing");
    }

    /** Reads the names from the class itself, so that a name added by a later version fails this test. */
    @Test
    void knowsEveryPropertyOfHikari() {
        List<String> names = Arrays.stream(HikariConfig.class.getMethods())
                .map(Method::getName)
                .filter(name -> name.startsWith("set"))
                .map(name -> name.substring(3, 4).toLowerCase(Locale.ROOT) + name.substring(4))
                .distinct()
                .toList();
        assertThat(names).hasSizeGreaterThan(25);
        assertThat(PoolImport.TABLE.rows("hikari")).extracting(Row::name).containsAll(names);
    }

    /** Many files have the URL and leave the rest to the defaults of the pool. */
    @ParameterizedTest
    @ValueSource(strings = {"spring.datasource.url", "hibernate.connection.url", "jakarta.persistence.jdbc.url"})
    void urlAloneIsImported(String name) throws Exception {
        assertThat(yaml(name + "=jdbc:h2:mem:x\n")).contains("url: \"jdbc:h2:mem:x\"  # " + name + " (line 1)");
    }
}
