/**
 * Functions on AWS Lambda, as a client calls them: a jar for the class path of programs, which needs the client and the part of AWS's SDK that
 * signs.
 */
@NullMarked
package io.lambdafs.client.lambda;

import org.jspecify.annotations.NullMarked;
