package dev.penstock.gateway.admin;

import dev.penstock.gateway.config.BadConfig;
import java.io.IOException;
import java.util.Map;

/** The flow file of a running gateway. Thread-safe. */
public interface ReloadableFile {
    /**
     * Reads the file again, and switches to it.
     *
     * @param by who asks
     * @return the generation that runs then, as JSON
     * @throws BadConfig it has errors, and nothing was changed
     * @throws IOException it cannot take effect, and nothing was changed
     */
    Map<String, Object> reload(String by) throws BadConfig, IOException;

    /** The file that runs, as JSON: its {@code generation}, the {@code file} and its {@code keys} without secrets. */
    Map<String, Object> running();
}
