package io.lambdafs.client.http;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsException;
import java.io.IOException;
import java.net.ConnectException;
import java.net.SocketTimeoutException;
import java.net.URI;

/**
 * Maps the platform's replies and network failures to errors. None concerns a file: a missing function is never {@code
 * NOT_FOUND}. Stateless.
 */
final class HttpErrors {
    private static final int MAX_SHOWN = 300;
    /** OpenWhisk's message for a reply above its size limit. */
    private static final String TOO_LARGE = "exceeded the allowed length";

    private static final ObjectMapper JSON = new ObjectMapper();

    private HttpErrors() {}

    /** Returns the error for a status other than 200. */
    static FsException ofStatus(int status, byte[] body, String function, URI gateway) {
        String said = said(body);
        return switch (status) {
            case 401, 403 ->
                new FsException(
                        ErrorCode.UNAUTHENTICATED,
                        "the gateway " + gateway + " refused this client's API key" + said + ": check the key file");
            case 404 ->
                // A restarted gateway may learn its functions only after it starts answering.
                FsException.unavailable("deployment " + function + " is not registered with the gateway " + gateway
                        + said + ": check prefix and number of deployments, and that the cluster is deployed");
            case 413 ->
                FsException.invalidArgument("the request is larger than the gateway " + gateway + " takes" + said);
            case 426 -> new FsException(ErrorCode.NOT_TRUSTED, "the gateway " + gateway + " refuses plain HTTP" + said);
            case 429, 503 ->
                new FsException(ErrorCode.THROTTLED, "the platform refuses more calls of " + function + " now" + said);
            case 507 ->
                new FsException(ErrorCode.STORE_FULL, "the platform cannot start an instance of " + function + said);
            case 502 ->
                new FsException(
                        // Another attempt would bring the same reply.
                        said.contains(TOO_LARGE) ? ErrorCode.BAD_FRAME : ErrorCode.FUNCTION_FAILED,
                        "an instance of " + function + " failed under the call" + said);
            case 500 ->
                // Also the answer if the function is removed while the call waits.
                new FsException(ErrorCode.FUNCTION_FAILED, "the gateway " + gateway + " failed under the call" + said);
            case 202 ->
                new FsException(
                        ErrorCode.TIMED_OUT, "the platform stopped waiting for the answer of " + function + said);
            default ->
                new FsException(ErrorCode.INTERNAL, "the gateway " + gateway + " answered status " + status + said);
        };
    }

    /** Returns the error for a 200 that is not a λFS reply. */
    static FsException notOurs(String why, String function, URI gateway) {
        return new FsException(
                ErrorCode.INTERNAL,
                "what " + gateway + " answered for " + function + " is no reply of λFS (" + why
                        + "): check the gateway's address and that client and functions are of one version");
    }

    /** Returns the error for a failed exchange. */
    static FsException ofFailure(Throwable thrown, String function, URI gateway) {
        Throwable cause = FsException.unwrap(thrown);
        if (cause instanceof FsException typed) {
            return typed;
        }
        if (cause instanceof ConnectException) {
            return FsException.unavailable(
                    "the gateway " + gateway + " cannot be reached (" + cause.getMessage()
                            + "): start the cluster, or check the address",
                    cause);
        }
        if (cause instanceof SocketTimeoutException) {
            return new FsException(
                    ErrorCode.TIMED_OUT, function + " did not answer in time through the gateway " + gateway, cause);
        }
        if (cause instanceof IOException) {
            return new FsException(
                    ErrorCode.CONNECTION_LOST,
                    "the connection to the gateway " + gateway + " broke before " + function + " had answered: "
                            + cause.getMessage(),
                    cause);
        }
        return new FsException(ErrorCode.INTERNAL, "the call of " + function + " failed: " + cause, cause);
    }

    private static String said(byte[] body) {
        if (body.length == 0) {
            return "";
        }
        try {
            JsonNode error = JSON.readTree(body).path("error");
            String text = error.isTextual() ? error.textValue() : error.isMissingNode() ? "" : error.toString();
            return text.isEmpty() ? "" : " (\"" + printable(text) + "\")";
        } catch (JsonProcessingException notJson) {
            return "";
        } catch (IOException unreadable) {
            return "";
        }
    }

    private static String printable(String text) {
        StringBuilder shown = new StringBuilder();
        text.codePoints().limit(MAX_SHOWN).forEach(c -> shown.appendCodePoint(Character.isISOControl(c) ? ' ' : c));
        return shown.toString();
    }
}
