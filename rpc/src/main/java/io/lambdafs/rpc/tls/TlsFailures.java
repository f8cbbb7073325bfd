package io.lambdafs.rpc.tls;

import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsException;
import io.netty.handler.ssl.NotSslRecordException;
import java.security.cert.CertPathBuilderException;
import java.security.cert.CertPathValidatorException;
import java.security.cert.CertificateException;
import java.security.cert.CertificateExpiredException;
import java.security.cert.CertificateNotYetValidException;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLHandshakeException;
import org.jspecify.annotations.Nullable;

/** Explains TLS handshake failures in one line. Stateless. */
public final class TlsFailures {
    /** Advice for a plain connection to a TLS port. */
    public static final String PLAIN_REFUSED =
            "this port speaks TLS only: use https, and name the cluster's CA (tls.ca, in client.json tlsCa)";

    private static final String ALERT = "Received fatal alert: ";

    private TlsFailures() {}

    /**
     * Returns {@code NOT_TRUSTED} if a certificate or its lack is the reason; {@code UNAVAILABLE} if the connection
     * broke.
     *
     * @param peer the other end
     */
    public static FsException of(Throwable failure, Object peer) {
        String why = reason(failure);
        return why == null
                ? FsException.unavailable(
                        "no TLS with " + peer + ": " + line(failure) + "; check that its process runs", failure)
                : new FsException(ErrorCode.NOT_TRUSTED, "no TLS with " + peer + ": " + why, failure);
    }

    /** Returns whether a connection failed because of the peer's TLS, at any time. */
    public static boolean isOne(Throwable failure) {
        return has(failure, SSLException.class);
    }

    private static @Nullable String reason(Throwable failure) {
        if (has(failure, CertificateExpiredException.class)) {
            return "its certificate has expired: renew it";
        }
        if (has(failure, CertificateNotYetValidException.class)) {
            return "its certificate is not valid yet: compare the clocks";
        }
        if (has(failure, NotSslRecordException.class)) {
            return "it does not speak TLS: configure both ends with it, or neither";
        }
        if (has(failure, CertPathBuilderException.class) || has(failure, CertPathValidatorException.class)) {
            return "its certificate is not of the CA that is trusted here: check both ends' CA files";
        }
        if (has(failure, CertificateException.class)) {
            return line(failure) + ": it needs a certificate that names this address";
        }
        String alert = alert(failure);
        if (alert != null) {
            return "it refused this process's certificate, or has none of the CA that is trusted here (" + alert
                    + "): check both ends' certificate and CA files";
        }
        return isVerdict(failure)
                ? "it shows no certificate that is trusted here (" + line(failure)
                        + "): check both ends' certificate and CA files"
                : null;
    }

    /**
     * Returns whether a failure is the JDK's verdict on a handshake; for broken connections Netty has its own types.
     */
    private static boolean isVerdict(Throwable failure) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (cause.getClass().equals(SSLHandshakeException.class)) {
                return true;
            }
        }
        return false;
    }

    private static @Nullable String alert(Throwable failure) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            String message = cause.getMessage();
            if (cause instanceof SSLException && message != null && message.contains(ALERT)) {
                return message.substring(message.indexOf(ALERT) + ALERT.length());
            }
        }
        return null;
    }

    private static boolean has(Throwable failure, Class<? extends Throwable> type) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (type.isInstance(cause)) {
                return true;
            }
        }
        return false;
    }

    /** Returns the innermost message as one line. */
    private static String line(Throwable failure) {
        String said = failure.getClass().getSimpleName();
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            said = cause.getMessage() == null ? said : cause.getMessage();
        }
        return said.lines().findFirst().orElse("no reason is known");
    }
}
