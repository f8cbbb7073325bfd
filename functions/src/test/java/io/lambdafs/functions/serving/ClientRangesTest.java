package io.lambdafs.functions.serving;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsException;
import java.net.InetAddress;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ClientRangesTest {
    private static boolean isDialled(ClientRanges ranges, String address, String caller) throws Exception {
        try {
            ranges.demand(InetAddress.getByName(address), caller.isEmpty() ? null : InetAddress.getByName(caller));
            return true;
        } catch (FsException refused) {
            assertThat(refused.code()).isEqualTo(ErrorCode.PERMISSION_DENIED);
            return false;
        }
    }

    @ParameterizedTest
    @CsvSource({
        "10.0.0.0/8,10.255.0.1,true",
        "10.0.0.0/8,11.0.0.0,false",
        "10.16.0.0/12,10.31.255.255,true",
        "10.16.0.0/12,10.32.0.0,false",
        "192.168.1.128/25,192.168.1.127,false",
        "192.168.1.128/25,192.168.1.200,true",
        "192.168.1.7,192.168.1.7,true",
        "192.168.1.7,192.168.1.6,false",
        "0.0.0.0/0,8.8.8.8,true",
        "0.0.0.0/0,::1,false",
        "fd00::/8,fdff::1,true",
        "fd00::/8,fe00::1,false",
        "[::1],::1,true",
        "127.0.0.0/8,::ffff:127.0.0.1,true"
    })
    void shouldContainTheAddressesThatBeginAlike(String range, String address, boolean contained) throws Exception {
        assertThat(isDialled(ClientRanges.parse(range), address, "")).isEqualTo(contained);
    }

    @Test
    void shouldAlwaysAllowTheAddressThatACallCameFrom() throws Exception {
        assertThat(isDialled(ClientRanges.NONE, "192.0.2.1", "192.0.2.1")).isTrue();
        assertThat(isDialled(ClientRanges.NONE, "192.0.2.1", "192.0.2.2")).isFalse();
        assertThat(isDialled(ClientRanges.NONE, "192.0.2.1", "")).isFalse();
    }

    @ParameterizedTest
    @ValueSource(strings = {"127.0.0.1", "127.0.0.2", "localhost", "::1", "[::1]"})
    void shouldAllowLoopbackBesideAnInstanceThatListensThere(String host) throws Exception {
        ClientRanges ranges = ClientRanges.beside(host);
        assertThat(isDialled(ranges, "127.0.0.1", "")).isTrue();
        assertThat(isDialled(ranges, "::1", "")).isTrue();
        assertThat(isDialled(ranges, "10.0.0.1", "")).isFalse();
    }

    @ParameterizedTest
    @ValueSource(strings = {"0.0.0.0", "10.0.0.1", "::", "node7.example.org"})
    void shouldAllowNothingBesideAnyOther(String host) {
        assertThat(ClientRanges.beside(host)).isEqualTo(ClientRanges.NONE);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"10.0.0.0/33", "10.0.0.0/", "10.0.0.0/-1", "10.0.0/8", "everybody", "fd00::/129", "10.0.0.0/8/8"
            })
    void shouldSayWhatIsNoRange(String text) {
        assertThatThrownBy(() -> ClientRanges.parse(text))
                .hasMessageContaining(text)
                .hasMessageContaining("10.0.0.0/8,fd00::/8");
    }
}
