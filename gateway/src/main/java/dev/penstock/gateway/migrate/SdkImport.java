package dev.penstock.gateway.migrate;

import dev.penstock.gateway.config.BadConfig;
import dev.penstock.gateway.config.FileText;
import dev.penstock.gateway.config.Problems;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;

/**
 * Turns a properties file of the payment SDK ({@code cybs.properties}) into a flow file.
 *
 * <pre>{@code
 * System.out.print(SdkImport.flowFile(Path.of("cybs.properties")));   // or throws BadConfig
 * }</pre>
 */
public final class SdkImport {
    private SdkImport() {}

    /**
     * A flow file that does what the SDK does with a properties file: YAML, with a comment on every line that came from a
     * property, hints for what stays automatic, and a list of what is not carried over, with reasons. Reads nothing else;
     * system properties, which the SDK takes for what a file leaves out, are not looked at. Shows no secret.
     *
     * @param file in the encoding of properties files, ISO 8859-1; at most 1 MB
     * @throws BadConfig when the SDK would not take it, with one line for each problem
     */
    public static String flowFile(Path file) throws BadConfig {
        Problems problems = new Problems();
        byte[] bytes = FileText.bytes(file, "properties file", problems);
        if (bytes == null) {
            throw BadConfig.of(file, problems);
        }
        List<PropertyLine> all = PropertiesText.parse(new String(bytes, StandardCharsets.ISO_8859_1), problems);
        SdkProperties properties = new SdkProperties(all, problems);
        if (!properties.areTheSdks()) {
            problems.add(
                    "no property of the payment SDK is in it; give the SDK's own file, cybs.properties in most cases");
            throw BadConfig.of(file, problems);
        }
        SdkSettings sdk = new SdkReader(properties).read();
        if (problems.count() > 0) {
            throw BadConfig.of(file, problems);
        }
        return FlowText.of(String.valueOf(file.getFileName()), sdk, properties);
    }
}
