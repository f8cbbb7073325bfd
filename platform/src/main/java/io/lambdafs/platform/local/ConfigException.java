package io.lambdafs.platform.local;

/** A configuration is invalid; the message names the file and the key. */
public final class ConfigException extends Exception {
    private static final long serialVersionUID = 1L;

    ConfigException(String message, Throwable cause) {
        super(message, cause);
    }
}
