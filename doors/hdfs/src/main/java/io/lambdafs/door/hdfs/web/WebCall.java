package io.lambdafs.door.hdfs.web;

import io.lambdafs.rpc.http.HttpCall;
import java.util.Locale;
import java.util.Map;
import org.apache.hadoop.security.authentication.client.PseudoAuthenticator;

/**
 * A call of the REST API. Immutable.
 *
 * @param operation the method and the operation, like {@code GET OPEN}
 * @param path of the file system
 * @param parameters decoded, by lower-case name
 */
record WebCall(String operation, String path, String user, Map<String, String> parameters) {
    static final String PREFIX = "/webhdfs/v1";
    /** HDFS's user of those who name none. */
    private static final String NOBODY = "dr.who";
    /** Marks a request that carries the contents, after the redirection. */
    private static final String WITH_DATA = "data";

    static boolean isOne(HttpCall call) {
        return call.path().equals(PREFIX) || call.path().startsWith(PREFIX + "/");
    }

    static WebCall of(HttpCall call) {
        Map<String, String> parameters = new java.util.HashMap<>();
        call.query().forEach((name, value) -> parameters.putIfAbsent(name.toLowerCase(Locale.ROOT), value));
        String operation =
                call.method() + " " + parameters.getOrDefault("op", "").toUpperCase(Locale.ROOT);
        String path = call.path().substring(PREFIX.length());
        String user = parameters.getOrDefault(PseudoAuthenticator.USER_NAME, "");
        return new WebCall(operation, path.isEmpty() ? "/" : path, user.isEmpty() ? NOBODY : user, parameters);
    }

    /** Returns a parameter; its default if absent or empty. */
    String get(String name, String otherwise) {
        String value = parameters.getOrDefault(name.toLowerCase(Locale.ROOT), "");
        return value.isEmpty() ? otherwise : value;
    }

    boolean flag(String name) {
        return Boolean.parseBoolean(get(name, "false"));
    }

    /** Returns a whole number of at least 0. */
    long number(String name, long otherwise) {
        return number(name, otherwise, 0);
    }

    /** Returns a whole number of at least another one. */
    long number(String name, long otherwise, long least) {
        long value;
        try {
            value = Long.parseLong(get(name, String.valueOf(otherwise)));
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException("Invalid value for webhdfs parameter \"" + name + "\": not a number", e);
        }
        if (value < least && value != otherwise) {
            throw new IllegalArgumentException(
                    "Invalid value for webhdfs parameter \"" + name + "\": " + value + " < " + least);
        }
        return value;
    }

    /** Returns whether it writes contents. */
    boolean writes() {
        return operation.equals("PUT CREATE") || operation.equals("POST APPEND");
    }

    boolean carriesData() {
        return writes() && flag(WITH_DATA);
    }

    /** Returns the query that the contents are to be sent with. */
    static String withData(String query) {
        return query + "&" + WITH_DATA + "=true";
    }
}
