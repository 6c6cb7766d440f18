package dev.penstock.migrate;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Files of Hibernate, JPA and c3p0 with several parts, and names that only Hibernate has. */
class HibernateImportTest {
    @TempDir
    Path folder;

    /** Without line breaks in comments. */
    private String yaml(String old) throws Exception {
        return SettingsImport.flowFile(Files.writeString(folder.resolve("old"), old))
                .replaceAll("\n *# +", " ");
    }

    @Test
    void importsC3p0ConfigFile() throws Exception {
        String yaml = yaml("""
                <c3p0-config>
                  <default-config>
                    <property name="jdbcUrl">jdbc:postgresql://db.example/billing</property>
                    <property name="user">billing</property>
                    <property name="maxPoolSize">7</property>
                    <property name="maxIdleTime">30</property>
                    <user-overrides user="admin"><property name="maxPoolSize">2</property></user-overrides>
                  </default-config>
                  <named-config name="reports">
                    <property name="maxPoolSize">70</property>
                    <user-overrides user="admin"><property name="maxPoolSize">3</property></user-overrides>
                  </named-config>
                </c3p0-config>
                """);
        assertThat(yaml)
                .contains(
                        "user: \"billing\"  # c3p0.user=billing (line 4)",
                        "max: 7  # c3p0.maxPoolSize=7 (line 5)",
                        "c3p0.maxIdleTime=30 (line 6): was an estimate",
                        "c3p0.maxPoolSize (line 7): only with user-overrides admin; import it by itself",
                        "c3p0.maxPoolSize (line 10): only with named-config reports; import it by itself",
                        "c3p0.maxPoolSize (line 11): only with user-overrides admin of named-config reports;");
    }

    @Test
    void importsTheFirstOfSeveralPersistenceUnits() throws Exception {
        String yaml = yaml("""
                <persistence>
                  <persistence-unit name="billing">
                    <description>invoices</description>
                    <properties><property name="hibernate.hikari.maximumPoolSize" value="7"/></properties>
                  </persistence-unit>
                  <persistence-unit name="reports">
                    <properties><property name="hibernate.hikari.maximumPoolSize" value="70"/>
                      <property name="jakarta.persistence.jdbc.url" value="jdbc:postgresql://db.example/reports"/></properties>
                  </persistence-unit>
                </persistence>
                """);
        assertThat(yaml)
                .contains(
                        "max: 7  # hibernate.hikari.maximumPoolSize=7 (line 4)",
                        "description (line 3): not about connections; stays with Hibernate",
                        "jakarta.persistence.jdbc.url (line 8): only with persistence-unit reports; import it by itself")
                .doesNotContain("db.example");
    }

    @Test
    void namesOfHibernateAreNotPropertiesOfTheDriver() throws Exception {
        String yaml = yaml("""
                hibernate.connection.min_pool_size=2
                hibernate.connection.init_sql=set role a
                hibernate.connection.release_mode=auto
                hibernate.connection.characterEncoding=utf8
                maxPoolSize=9
                """);
        assertThat(yaml)
                .contains(
                        ".warm(2)",
                        ".initSql(\"set role a\")",
                        ".property(\"characterEncoding\", \"utf8\")",
                        "hibernate.connection.release_mode (line 3): about when Hibernate holds a connection",
                        "maxPoolSize (line 5): unknown pool property; did you mean c3p0.maxPoolSize?")
                .doesNotContain(".property(\"release_mode\"");
    }
}
