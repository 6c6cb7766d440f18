package dev.penstock.migrate;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.gateway.file.FlowFile;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What Spring Boot allows in its files: notations of names and values, several documents, other people's settings. */
class SpringImportTest {
    private static final String HIKARI = "spring.datasource.hikari.";

    @TempDir
    Path folder;

    /** Without line breaks in comments. */
    private String yaml(String old) throws Exception {
        String yaml = SettingsImport.flowFile(Files.writeString(folder.resolve("old"), old.replace(";;", "\n")));
        FlowFile.read(
                Files.writeString(folder.resolve("flows.yaml"), yaml),
                name -> name.equals("DATABASE_URL") ? "jdbc:postgresql://db.example/x" : null);
        return yaml.replaceAll("\n *# +", " ");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "maximumPoolSize=7 | max: 7",
                "maximum-pool-size=7 | max: 7",
                "MAXIMUM_POOL_SIZE=7 | max: 7",
                "maximumPoolsize=7 | max: 7",
                "connectionTestquery=SELECT 1 | .testQuery(\"SELECT 1\")",
                "connection-init-sql=${SQL:set role a} | .initSql(\"set role a\")",
                "connection-init-sql=set role ${ROLE:a} | .initSql(\"set role a\")",
                "connection-init-sql=set role ${ROLE} | .initSql(initSql)",
                "transactionIsolation=${I:TRANSACTION_SERIALIZABLE} | .isolation(\"TRANSACTION_SERIALIZABLE\")",
                "transactionIsolation=${I} | transactionIsolation (line 1): a placeholder without a default",
                "auto-commit=no | .autoCommit(false)",
                "auto-commit=ON | .autoCommit(true)",
                "data-source-properties.cacheSize=${C:7} | .property(\"cacheSize\", \"7\")",
                "data-source-properties.cacheSize=${C} | .property(\"cacheSize\", value)",
                "dataSourceProperties['cacheSize']=7 | .property(\"cacheSize\", \"7\")",
                "data-source-properties[cacheSize]=7 | .property(\"cacheSize\", \"7\")",
                "health-check-properties.connectivityCheckTimeoutMs=1000 | connectivityCheckTimeoutMs (line 1): not needed: counters",
            })
    void hikariIsReadInAnyNotation(String line, String expected) throws Exception {
        assertThat(yaml(HIKARI + line)).contains(expected);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "spring.datasource.hikari.connection-test-quary=x | did you mean spring.datasource.hikari.connectionTestQuery?",
                "spring.datasource.hikari.wholly-unknown=x | wholly-unknown (line 2): unknown pool property",
                "spring.jpa.properties.hibernate.c3p0.mx_size=9 | did you mean spring.jpa.properties.hibernate.c3p0.max_size?",
                "spring.datasource.maximum-pool-size=9 | did you mean spring.datasource.hikari.maximumPoolSize?",
                "spring.datasource.schema[0]=a.sql | spring.datasource.schema[0] (line 2): about scripts and embedded databases; stays with Spring",
                "spring.datasource.reports.jdbc-url=jdbc:x | spring.datasource.reports.jdbc-url (line 2): of another data source, or of a pool that is not imported",
                "spring.datasource.tomcat.max-active=9 | spring.datasource.tomcat.max-active (line 2): of another data source, or of a pool that is not imported",
                "security.oauth2.client=a | security.oauth2.client (line 2): not about connections or calls; stays with the application",
                "my.own.setting=a | my.own.setting (line 2): not about connections or calls; stays with the application",
                "maximumPoolSizes=9 | maximumPoolSizes (line 2): unknown pool property; did you mean maximumPoolSize?",
                "spring.jpa.properties.hibernate.connection.handling_mode=x | handling_mode (line 2): about when Hibernate holds a connection; stays with Hibernate",
            })
    void otherNamesAreDroppedWithTheirReason(String line, String expected) throws Exception {
        assertThat(yaml(HIKARI + "maximum-pool-size=7;;" + line))
                .contains(expected)
                .contains("max: 7  #");
    }

    @Test
    void nameOfAnApplicationIsNotAPoolPropertyWhereNoPoolIs() throws Exception {
        assertThat(yaml("server.tomcat.max-connections=7;;useCache=true"))
                .contains("useCache (line 2): not about connections or calls; stays with the application");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "spring.datasource.hikari: { maximum-pool-size: 1_0, auto-commit: off } | .autoCommit(false)",
                "spring.datasource.hikari: { maximum-pool-size: 1_0, auto-commit: off } | max: 10  #",
                "spring.datasource.hikari.pool-name: 'no';;info: [];;app: {} | line 2, line 3: unknown pool property",
                "spring.datasource.hikari.pool-name: @project.name@ # by Maven;;app.names:;;- @x@ | app.names[0] (line 3)",
            })
    void yamlIsReadAsSpringReadsIt(String old, String expected) throws Exception {
        // A name without a value may be part of a secret, so only its line is shown.
        assertThat(yaml(old)).contains(expected);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "spring.config.activate.on-profile: test",
                "spring.config.activate.onProfile: test",
                "spring.config.activate.on-profile: [test]",
                "spring.profiles: test",
                "spring.profiles:;;- test",
            })
    void documentOfAProfileIsNotMixedIn(String profile) throws Exception {
        assertThat(yaml(HIKARI + "maximum-pool-size: 7;;---;;" + HIKARI + "maximum-pool-size: 9;;" + profile))
                .contains("max: 7  #", "maximum-pool-size (line 3)", ": only with profile test; import it by itself");
    }

    @Test
    void documentMayHaveSeveralConditions() throws Exception {
        assertThat(
                        yaml(
                                HIKARI
                                        + "maximum-pool-size: 7;;---;;spring.config.activate: { on-cloud-platform: kubernetes, on-profile: [a, b] }"))
                .contains(": only with cloud platform kubernetes and profile a, b;");
    }

    /** The rules of Spring's OriginTrackedPropertiesLoader. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            ignoreLeadingAndTrailingWhitespace = false,
            value = {
                "#---|true",
                "!---|true",
                "#--- \t|true",
                "# text;;!---|true",
                "# text;;;;#---|true",
                "#---;;#---|true",
                " #---|false",
                "#----|false",
                "#--- text|false",
                "# text;;#---|false",
                "#---;;# text|false",
                "#---;;! text|false",
                "#---;;;;# text|false",
            })
    void propertiesMayHaveSeveralDocuments(String separator, boolean separates) throws Exception {
        String size = HIKARI + "maximum-pool-size=";
        assertThat(yaml(size + "7;;" + separator + ";;spring.config.activate.on-profile=test;;" + size + "9"))
                .contains(
                        separates ? "max: 7  #" : "max: 9  #",
                        separates ? ": only with profile test; import it by itself" : "(line 1): another line");
    }

    @Test
    void documentOfAProfileIsReadByItself() throws Exception {
        String size = HIKARI + "maximum-pool-size: ";
        assertThat(yaml("spring.profiles: test;;" + size + "9;;---;;spring.profiles: live;;" + size + "90"))
                .contains("max: 9  #", "spring.datasource.hikari.maximum-pool-size (line 5): only with profile live");
    }

    @Test
    void laterDocumentOfPropertiesTakesPrecedence() throws Exception {
        String size = HIKARI + "maximum-pool-size=";
        assertThat(yaml(size + "7;;#---;;" + size + "8;;#---;;spring.config.activate.on-profile=a;;" + size + "9"))
                .contains("max: 8  #", "(line 5), spring.datasource.hikari.maximum-pool-size (line 6): only with");
    }
}
