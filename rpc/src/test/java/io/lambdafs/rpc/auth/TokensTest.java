package io.lambdafs.rpc.auth;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsException;
import io.lambdafs.model.inode.Principal;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.Base64;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class TokensTest {
    private static final Principal ANN = new Principal("änn", List.of("staff", "supergroup"));
    private static final Duration HOUR = Duration.ofHours(1);

    private final Secret secret = Secret.generate();
    private Instant now = Instant.ofEpochMilli(1_700_000_000_000L);
    private final Tokens tokens = Tokens.signed(secret, (InstantSource) () -> now);

    private static void assertRefused(Tokens tokens, String token, ErrorCode code) {
        assertThatThrownBy(() -> tokens.verify(token))
                .as(token)
                .isInstanceOfSatisfying(
                        FsException.class, e -> assertThat(e.code()).isEqualTo(code));
    }

    @Test
    void shouldProveWhatItWasMadeFor() {
        for (Role role : Role.values()) {
            Identity identity = tokens.verify(tokens.mint(ANN, role, HOUR));

            assertThat(identity.principal()).isEqualTo(ANN);
            assertThat(identity.role()).isEqualTo(role);
            assertThat(identity.expiryMillis()).isEqualTo(now.plus(HOUR).toEpochMilli());
        }
    }

    @Test
    void shouldFitUrlsAndHeaders() {
        assertThat(tokens.mint(ANN, Role.CLIENT, HOUR))
                .matches("[A-Za-z0-9._-]+")
                .hasSizeLessThan(200);
    }

    @Test
    void shouldMakeNoTokenTwice() {
        assertThat(tokens.mint(ANN, Role.CLIENT, HOUR)).isNotEqualTo(tokens.mint(ANN, Role.CLIENT, HOUR));
    }

    @Test
    void shouldRefuseATokenWithAnyCharacterChanged() {
        String token = tokens.mint(ANN, Role.CLIENT, HOUR);
        for (int i = 0; i < token.length(); i++) {
            for (char c : "AQgwz059-_.=é ".toCharArray()) {
                if (token.charAt(i) != c) {
                    String changed = token.substring(0, i) + c + token.substring(i + 1);
                    assertRefused(tokens, changed, ErrorCode.UNAUTHENTICATED);
                }
            }
        }
    }

    @Test
    void shouldRefuseATokenCutOrExtended() {
        String token = tokens.mint(ANN, Role.CLIENT, HOUR);
        for (int length = 0; length < token.length(); length++) {
            assertRefused(tokens, token.substring(0, length), ErrorCode.UNAUTHENTICATED);
        }
        for (String more : List.of("A", "=", ".", " ", "\n", "." + token)) {
            assertRefused(tokens, token + more, ErrorCode.UNAUTHENTICATED);
        }
    }

    @Test
    void shouldRefuseClaimsUnderTheSignatureOfOthers() {
        String client = tokens.mint(ANN, Role.CLIENT, HOUR);
        String other = tokens.mint(new Principal("root", List.of()), Role.CLIENT, HOUR);
        String mixed = other.substring(0, other.lastIndexOf('.')) + client.substring(client.lastIndexOf('.'));

        assertRefused(tokens, mixed, ErrorCode.UNAUTHENTICATED);
    }

    @Test
    void shouldRefuseATokenThatIsNotAClients() {
        String client = tokens.mint(ANN, Role.CLIENT, HOUR);
        byte[] claims =
                Base64.getUrlDecoder().decode(client.substring(client.indexOf('.') + 1, client.lastIndexOf('.')));
        assertThat(claims[0]).as("the number of a client's role").isEqualTo((byte) 1);
        claims[0] = 2;

        assertRefused(tokens, signed(claims), ErrorCode.UNAUTHENTICATED);
    }

    @Test
    void shouldRefuseSignedClaimsWithMoreBehindThem() {
        String client = tokens.mint(ANN, Role.CLIENT, HOUR);
        byte[] claims =
                Base64.getUrlDecoder().decode(client.substring(client.indexOf('.') + 1, client.lastIndexOf('.')));

        assertThat(tokens.verify(signed(claims)).principal()).isEqualTo(ANN);
        assertRefused(tokens, signed(Arrays.copyOf(claims, claims.length + 1)), ErrorCode.UNAUTHENTICATED);
    }

    private String signed(byte[] claims) {
        Base64.Encoder encoder = Base64.getUrlEncoder().withoutPadding();
        String text = "lfs1." + encoder.encodeToString(claims);
        return text + "." + encoder.encodeToString(secret.sign(text.getBytes(StandardCharsets.US_ASCII)));
    }

    @Test
    void shouldRefuseTokensOfAnotherCluster() {
        String foreign = Tokens.signed(Secret.generate(), () -> now).mint(ANN, Role.CLIENT, HOUR);

        assertRefused(tokens, foreign, ErrorCode.UNAUTHENTICATED);
    }

    @Test
    void shouldRefuseATokenFromItsExpiryOn() {
        String token = tokens.mint(ANN, Role.CLIENT, HOUR);

        now = now.plus(HOUR).minusMillis(1);
        assertThat(tokens.verify(token).principal()).isEqualTo(ANN);
        now = now.plusMillis(1);

        assertRefused(tokens, token, ErrorCode.TOKEN_EXPIRED);
    }

    @Test
    void shouldRefuseNoise() {
        Random random = new Random(11);
        for (int i = 0; i < 5_000; i++) {
            byte[] bytes = new byte[random.nextInt(100)];
            random.nextBytes(bytes);
            String noise = random.nextBoolean()
                    ? new String(bytes, StandardCharsets.ISO_8859_1)
                    : "lfs1." + Base64.getUrlEncoder().withoutPadding().encodeToString(bytes) + ".";
            assertRefused(tokens, noise, ErrorCode.UNAUTHENTICATED);
        }
        assertRefused(tokens, "lfs1." + "A".repeat(1 << 20) + ".A", ErrorCode.UNAUTHENTICATED);
    }

    @Test
    void shouldRefuseMalformedClaimsThatAreSigned() {
        for (String claims : List.of("", "A", "AAAA", "!!", "AgAAAAA", "_____w8")) {
            String text = "lfs1." + claims;
            String mac = Base64.getUrlEncoder()
                    .withoutPadding()
                    .encodeToString(secret.sign(text.getBytes(StandardCharsets.UTF_8)));

            assertRefused(tokens, text + "." + mac, ErrorCode.UNAUTHENTICATED);
        }
    }

    @Test
    void shouldRefuseToMakeATokenThatIsTooLong() {
        Principal popular = new Principal("ann", Collections.nCopies(500, "a-group-with-a-name"));

        assertThatThrownBy(() -> tokens.mint(popular, Role.CLIENT, HOUR))
                .isInstanceOfSatisfying(
                        FsException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.INVALID_ARGUMENT));
    }

    @Test
    void shouldMakeAndBelieveTokensUpToTheLongest() {
        Principal principal = new Principal("u".repeat(3_000), List.of());
        String token = "";
        while (token.length() < Tokens.MAX_CHARS) {
            token = tokens.mint(principal, Role.CLIENT, HOUR);
            assertThat(tokens.verify(token).principal()).isEqualTo(principal);
            principal = new Principal(principal.user() + "u", List.of());
        }
        Principal longer = principal;

        assertThat(token).hasSize(Tokens.MAX_CHARS);
        assertThatThrownBy(() -> tokens.mint(longer, Role.CLIENT, HOUR)).isInstanceOf(FsException.class);
    }

    @Test
    void shouldBelieveEverythingOnlyWhenInsecure() {
        Tokens insecure = Tokens.insecure();
        String unsigned = insecure.mint(ANN, Role.CLIENT, HOUR);
        String signed = Tokens.signed(secret).mint(ANN, Role.CLIENT, HOUR);

        assertThat(insecure.verify(unsigned).principal()).isEqualTo(ANN);
        assertThat(insecure.verify(signed).principal()).isEqualTo(ANN);
        assertRefused(insecure, "anything", ErrorCode.UNAUTHENTICATED);
        assertRefused(tokens, unsigned, ErrorCode.UNAUTHENTICATED);
    }

    @Test
    void shouldRefuseAnUnsignedTokenEvenWithASignature() {
        String unsigned = Tokens.insecure().mint(ANN, Role.CLIENT, HOUR);
        String text = unsigned.substring(0, unsigned.length() - 1);
        String mac = Base64.getUrlEncoder()
                .withoutPadding()
                .encodeToString(secret.sign(text.getBytes(StandardCharsets.UTF_8)));

        assertRefused(tokens, text + "." + mac, ErrorCode.UNAUTHENTICATED);
    }
}
