package io.lambdafs.rpc.tls;

import static org.assertj.core.api.Assertions.assertThat;

import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsException;
import io.netty.handler.codec.DecoderException;
import io.netty.handler.ssl.SslHandshakeTimeoutException;
import java.nio.channels.ClosedChannelException;
import javax.net.ssl.SSLHandshakeException;
import org.junit.jupiter.api.Test;

class TlsFailuresTest {
    @Test
    void shouldTakeAMissingCertificateAsALackOfTrust() {
        FsException why = TlsFailures.of(new SSLHandshakeException("Empty client certificate chain"), "peer");

        assertThat(why.code()).isEqualTo(ErrorCode.NOT_TRUSTED);
        assertThat(why.getMessage()).contains("peer", "shows no certificate", "Empty client certificate chain");
    }

    @Test
    void shouldTakeARefusalThatComesLaterAsALackOfTrust() {
        DecoderException alert =
                new DecoderException(new SSLHandshakeException("Received fatal alert: certificate_required"));

        assertThat(TlsFailures.isOne(alert)).isTrue();
        assertThat(TlsFailures.of(alert, "peer").code()).isEqualTo(ErrorCode.NOT_TRUSTED);
        assertThat(TlsFailures.of(alert, "peer").getMessage()).contains("certificate_required", "CA files");
    }

    @Test
    void shouldTakeABrokenConnectionAsAPassingState() {
        assertThat(TlsFailures.of(new ClosedChannelException(), "peer"))
                .hasMessageContaining("ClosedChannelException")
                .extracting(FsException::code)
                .isEqualTo(ErrorCode.UNAVAILABLE);
        assertThat(TlsFailures.of(new SslHandshakeTimeoutException("late"), "peer")
                        .code())
                .isEqualTo(ErrorCode.UNAVAILABLE);
    }
}
