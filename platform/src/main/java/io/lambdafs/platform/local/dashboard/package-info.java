/** The gateway's live page: what the cluster does now and has done since the gateway started, by server-sent events. */
@NullMarked
package io.lambdafs.platform.local.dashboard;

import org.jspecify.annotations.NullMarked;
