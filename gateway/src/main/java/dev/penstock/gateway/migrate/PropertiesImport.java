package dev.penstock.gateway.migrate;

import dev.penstock.gateway.config.BadConfig;
import dev.penstock.gateway.config.ConfigProblems;
import dev.penstock.gateway.config.FileText;
import dev.penstock.gateway.migrate.DatabaseReader.DatabaseSettings;
import dev.penstock.gateway.migrate.PropertiesText.PropertyLine;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;

/**
 * Converts the properties file of an older client to a flow file. The property names identify the client: the payment
 * SDK, or a database connection pool, c3p0 (alone or in Hibernate) or HikariCP (alone, in Hibernate or in Spring).
 *
 * <pre>{@code
 * System.out.print(PropertiesImport.flowFile(Path.of("hibernate.properties")));   // or throws BadConfig
 * }</pre>
 */
public final class PropertiesImport {
    private PropertiesImport() {}

    /**
     * A flow file that replaces the old client: YAML with a comment on every line that comes from a property, hints for
     * automatic settings, and a list of dropped properties with reasons. Reads no other file. Shows no secrets.
     *
     * @param file the properties file, ISO 8859-1; at most 1 MB
     * @throws BadConfig the old client would reject the file, or it is of no known client; one line per problem
     */
    public static String flowFile(Path file) throws BadConfig {
        ConfigProblems problems = new ConfigProblems();
        byte[] bytes = FileText.bytes(file, "properties file", problems);
        if (bytes == null) {
            throw BadConfig.of(file, problems);
        }
        List<PropertyLine> all = PropertiesText.parse(new String(bytes, StandardCharsets.ISO_8859_1), problems);
        String text = flowFile(String.valueOf(file.getFileName()), all, problems);
        if (problems.count() > 0) {
            throw BadConfig.of(file, problems);
        }
        return text;
    }

    private static String flowFile(String file, List<PropertyLine> all, ConfigProblems problems) {
        // The file of a pool may contain names of the SDK, such as password, but not the reverse.
        DatabaseProperties database = new DatabaseProperties(all, problems);
        if (database.hasPoolProperties()) {
            DatabaseSettings pool = new DatabaseReader(database).read();
            return problems.count() > 0 ? "" : DatabaseText.of(file, pool, database);
        }
        SdkProperties properties = new SdkProperties(all, problems);
        if (!properties.hasSdkProperties()) {
            problems.add("the file contains no property of a known client; give the file of the payment SDK"
                    + " (cybs.properties in most cases), or that of c3p0, HikariCP, Hibernate or Spring");
            return "";
        }
        SdkSettings sdk = new SdkReader(properties).read();
        return problems.count() > 0 ? "" : FlowText.of(file, sdk, properties);
    }
}
