package io.lambdafs.door.hdfs.web;

import io.lambdafs.rpc.http.HttpReply;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.apache.hadoop.hdfs.web.JsonUtil;
import org.apache.hadoop.security.authorize.AuthorizationException;

/** Replies of the REST API, with the statuses and the words of HDFS's. Stateless. */
final class WebReplies {
    private WebReplies() {}

    static HttpReply json(String text) {
        return json(200, text);
    }

    static HttpReply json(int status, String text) {
        return new HttpReply(status, "application/json;charset=utf-8", text.getBytes(StandardCharsets.UTF_8), Map.of());
    }

    static HttpReply truth(boolean value) {
        return json(JsonUtil.toJsonString("boolean", value));
    }

    static HttpReply done() {
        return new HttpReply(200, "application/octet-stream", new byte[0], Map.of());
    }

    /** Returns HDFS's RemoteException. */
    static HttpReply failure(Exception why) {
        return json(status(why), JsonUtil.toJsonString(why));
    }

    private static int status(Exception why) {
        if (why instanceof SecurityException || why instanceof AuthorizationException) {
            return 403;
        }
        if (why instanceof FileNotFoundException) {
            return 404;
        }
        if (why instanceof IOException) {
            return 403;
        }
        if (why instanceof UnsupportedOperationException || why instanceof IllegalArgumentException) {
            return 400;
        }
        return 500;
    }
}
