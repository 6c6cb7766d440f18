package dev.penstock.lab.page;

import dev.penstock.text.Sha256;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;

/**
 * The files embedded in each page: styles and scripts, ours and uPlot's with its licence.
 *
 * @param style of the page
 * @param guard the script that counts errors; runs before all others
 * @param script the scripts that draw
 */
record PageFiles(String style, String guard, String script) {
    /** Read once from the class path. */
    static final PageFiles OURS = read();

    private static PageFiles read() {
        String licence = "/*!\nuPlot 1.6.32, as published.\n\n" + text("uplot/LICENSE") + "\n*/\n";
        return new PageFiles(
                licence + text("uplot/uPlot.min.css") + "\n" + text("page.css"),
                text("guard.js"),
                licence + text("uplot/uPlot.iife.min.js") + "\n" + text("elements.js") + text("charts.js")
                        + text("page.js"));
    }

    /** The content security policy: only the embedded scripts and styles may run. */
    String policy() {
        return "default-src 'none'; style-src " + hash(style) + "; script-src " + hash(guard) + " " + hash(script)
                + "; img-src data:; base-uri 'none'; form-action 'none'";
    }

    private static String hash(String inline) {
        return "'sha256-" + Base64.getEncoder().encodeToString(Sha256.of(inline)) + "'";
    }

    /** The text with plain line feeds, as browsers read it. */
    private static String text(String name) {
        try (InputStream in = PageFiles.class.getResourceAsStream(name)) {
            if (in == null) {
                throw new IllegalStateException(name + " is missing from this build: rebuild the lab");
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8).replace("\r\n", "\n");
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read " + name + " of the lab", e);
        }
    }
}
