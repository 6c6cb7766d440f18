package dev.penstock.observe.page;

import dev.penstock.text.Sha256;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;

/**
 * The dashboard: one HTML page with inline styles and scripts, including uPlot and its licence. It only requests
 * changing data.
 *
 * @param html the complete page
 * @param policy the Content-Security-Policy: allows the inline styles and scripts by hash, and requests to this server
 */
record PageHtml(String html, String policy) {
    private static final List<String> SCRIPTS = List.of(
            "parts.js",
            "charts.js",
            "history.js",
            "stages.js",
            "settings.js",
            "transactions.js",
            "fleets.js",
            "page.js");

    /**
     * Assembles the page from its resources.
     *
     * @param pins whether settings can be pinned here
     * @throws UncheckedIOException a resource cannot be read
     */
    static PageHtml read(boolean pins) {
        String licence = "/*!\nuPlot 1.6.32, as published.\n\n" + text("uplot/LICENSE") + "\n*/\n";
        String style = licence + text("uplot/uPlot.min.css") + "\n" + text("page.css");
        String script = licence
                + text("uplot/uPlot.iife.min.js")
                + SCRIPTS.stream().map(PageHtml::text).collect(Collectors.joining("\n", "\n", ""));
        String policy = "default-src 'none'; style-src " + hash(style) + "; script-src " + hash(script)
                + "; connect-src 'self'; img-src data:; form-action 'none'; frame-ancestors 'none'; base-uri 'none'";
        String html = text("page.html")
                .replace("<body>", pins ? "<body>" : "<body data-view>")
                .replace("/*STYLE*/", style)
                .replace("/*SCRIPT*/", script);
        return new PageHtml(html, policy);
    }

    private static String hash(String inline) {
        return "'sha256-" + Base64.getEncoder().encodeToString(Sha256.of(inline)) + "'";
    }

    /** The text with plain line feeds, as a browser reads it. */
    private static String text(String name) {
        try (InputStream in = PageHtml.class.getResourceAsStream(name)) {
            return new String(Objects.requireNonNull(in, name).readAllBytes(), StandardCharsets.UTF_8)
                    .replace("\r\n", "\n");
        } catch (IOException broken) {
            throw new UncheckedIOException("cannot read the resources of the dashboard", broken);
        }
    }
}
