package io.lambdafs.rpc.http;

import io.netty.handler.codec.http.QueryStringDecoder;
import java.util.Locale;

/** Decodes the URI of a request line. Stateless. */
final class RequestUri {
    private static final int FIRST_BEYOND_ASCII = 0x80;

    private RequestUri() {}

    /** Returns the parts of a URI, in which some clients leave the bytes of UTF-8 as they are. */
    static QueryStringDecoder decoder(String uri) {
        return new QueryStringDecoder(escaped(uri));
    }

    private static String escaped(String uri) {
        if (uri.chars().allMatch(each -> each < FIRST_BEYOND_ASCII)) {
            return uri;
        }
        StringBuilder escaped = new StringBuilder();
        // The codec makes a character of each byte.
        uri.chars().forEach(each -> {
            if (each < FIRST_BEYOND_ASCII) {
                escaped.append((char) each);
            } else {
                escaped.append(String.format(Locale.ROOT, "%%%02X", each));
            }
        });
        return escaped.toString();
    }
}
