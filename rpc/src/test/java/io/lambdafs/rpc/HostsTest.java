package io.lambdafs.rpc;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class HostsTest {
    @ParameterizedTest
    @CsvSource({
        "127.0.0.1,127.0.0.1:80",
        "localhost,localhost:80",
        "::1,[::1]:80",
        "[::1],[::1]:80",
        "fe80::1%lo,[fe80::1%lo]:80"
    })
    void shouldPutBracketsRoundAddressesWithColons(String host, String expected) {
        assertThat(Hosts.withPort(host, 80)).isEqualTo(expected);
    }

    @ParameterizedTest
    @CsvSource({"[::1],::1", "::1,::1", "node7,node7", "10.0.0.7,10.0.0.7"})
    void shouldReachWhatListensAtAnAddressThere(String listen, String expected) {
        assertThat(Hosts.reached(listen)).isEqualTo(expected);
    }

    @ParameterizedTest
    @CsvSource({"0.0.0.0", "::", "[::]", "0:0:0:0:0:0:0:0", "::0"})
    void shouldReachWhatListensEverywhereAtThisMachinesOwnAddress(String listen) {
        assertThat(Hosts.reached(listen)).isEqualTo(Hosts.loopback());
    }

    @Test
    void shouldHaveALoopbackAddress() throws Exception {
        assertThat(InetAddress.getByName(Hosts.loopback()).isLoopbackAddress()).isTrue();
    }
}
