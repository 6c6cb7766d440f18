package dev.penstock.gateway.migrate;

import dev.penstock.gateway.config.BadConfig;
import dev.penstock.gateway.config.FileText;
import dev.penstock.gateway.config.ConfigProblems;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;

/**
 * Turns the properties file of an older client into a flow file. Whose file it is, is told by the names in it: that of the
 * payment SDK, or that of a pool of database connections, c3p0 (by itself or by Hibernate) or HikariCP (by itself, by
 * Hibernate or by Spring).
 *
 * <pre>{@code
 * System.out.print(Import.flowFile(Path.of("hibernate.properties")));   // or throws BadConfig
 * }</pre>
 */
public final class PropertiesImport {
    private PropertiesImport() {}

    /**
     * A flow file that does what the old client did with a properties file: YAML, with a comment on every line that came from
     * a property, hints for what stays automatic, and a list of what is not carried over, with reasons. Reads nothing
     * else. Shows no secret.
     *
     * @param file in the encoding of properties files, ISO 8859-1; at most 1 MB
     * @throws BadConfig when the old client would not take it, or it is of none that is known here; one line for each problem
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
        // A pool's file may have a name of the SDK's too, such as password; and never the other way round.
        DatabaseProperties database = new DatabaseProperties(all, problems);
        if (database.arePoolsOwn()) {
            DatabaseSettings pool = new DatabaseReader(database).read();
            return problems.count() > 0 ? "" : DatabaseText.of(file, pool, database);
        }
        SdkProperties properties = new SdkProperties(all, problems);
        if (!properties.areTheSdks()) {
            problems.add("no property of a client that is known here is in it; give the file of the payment SDK"
                    + " (cybs.properties in most cases), or that of c3p0, HikariCP, Hibernate or Spring");
            return "";
        }
        SdkSettings sdk = new SdkReader(properties).read();
        return problems.count() > 0 ? "" : FlowText.of(file, sdk, properties);
    }
}
