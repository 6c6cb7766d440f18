package dev.penstock.gateway.transport;

import dev.penstock.http.header.Header;
import java.util.Locale;

/** What messages of any broker contain of a request, beside its header fields and its body. */
public final class MessageFields {
    /** The property with the transaction id. */
    public static final String ID = "penstock_id";

    /** The property with the method; none for POST. */
    public static final String METHOD = "penstock_method";

    /** The property with the path below the path of the flow; none for the path itself. */
    public static final String PATH = "penstock_path";

    private MessageFields() {}

    /**
     * The path below the path of the flow, with the query; empty for the path itself.
     *
     * @param path of the request
     * @param base the path of the flow
     */
    public static String rest(String path, String base) {
        String own = base.endsWith("/") ? base.substring(0, base.length() - 1) : base;
        String rest = path.startsWith(own) ? path.substring(own.length()) : path;
        return rest.equals("/") ? "" : rest;
    }

    /** Whether a message omits a field: one of the message itself, or of the connection that the request was received on. */
    public static boolean isOmitted(Header field) {
        String name = field.name().toLowerCase(Locale.ROOT);
        return name.equals("penstock-id") || name.equals("content-length") || name.equals("host");
    }
}
