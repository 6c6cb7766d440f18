package dev.penstock.gateway.admin;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;

/**
 * The page: one answer with its styles and scripts in it, uPlot's and its licence among them. It asks for nothing but what
 * changes.
 *
 * @param html the whole of it
 * @param policy what a browser may do with it: run and apply what stands in it, and ask this server
 */
record AdminPage(String html, String policy) {
    private static final List<String> SCRIPTS = List.of("parts.js", "charts.js", "stages.js", "settings.js", "page.js");

    /**
     * Puts it together of its files.
     *
     * @throws UncheckedIOException when they cannot be read from the program
     */
    static AdminPage read() {
        String licence = "/*!\nuPlot 1.6.32, as published.\n\n" + text("uplot/LICENSE") + "\n*/\n";
        String style = licence + text("uplot/uPlot.min.css") + "\n" + text("page.css");
        String script = licence
                + text("uplot/uPlot.iife.min.js")
                + SCRIPTS.stream().map(AdminPage::text).collect(Collectors.joining("\n", "\n", ""));
        String policy = "default-src 'none'; style-src " + hash(style) + "; script-src " + hash(script)
                + "; connect-src 'self'; img-src data:; form-action 'none'; frame-ancestors 'none'; base-uri 'none'";
        String html = text("page.html").replace("/*STYLE*/", style).replace("/*SCRIPT*/", script);
        return new AdminPage(html, policy);
    }

    private static String hash(String inline) {
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(inline.getBytes(StandardCharsets.UTF_8));
            return "'sha256-" + Base64.getEncoder().encodeToString(digest) + "'";
        } catch (NoSuchAlgorithmException missing) {
            throw new IllegalStateException("every Java platform has SHA-256", missing);
        }
    }

    /** As a browser reads it: with plain line feeds. */
    private static String text(String name) {
        try (InputStream in = AdminPage.class.getResourceAsStream(name)) {
            return new String(Objects.requireNonNull(in, name).readAllBytes(), StandardCharsets.UTF_8)
                    .replace("\r\n", "\n");
        } catch (IOException broken) {
            throw new UncheckedIOException("the admin page cannot be read from the program", broken);
        }
    }
}
