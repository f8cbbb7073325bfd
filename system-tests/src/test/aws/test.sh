# Sourced by ./lambdafs test --aws: AWS without AWS. Needs python3 with pip, and npm for the template.

aws_tools() { # moto's server and cfn-lint, in target/aws-tools; fails where they cannot be had
    [ -x "$ROOT/target/aws-tools/bin/moto_server" ] && [ -x "$ROOT/target/aws-tools/bin/cfn-lint" ] && return 0
    has python3 || return 1
    python3 -m venv "$ROOT/target/aws-tools" &&
        "$ROOT/target/aws-tools/bin/pip" -q install 'moto[server]==5.2.5' 'cfn-lint==1.58.0' >&2
}

test_template() { # the template is what aws-setup synthesises, and CloudFormation would take it
    local work=$ROOT/target/aws-setup name
    "$ROOT/target/aws-tools/bin/cfn-lint" --ignore-checks W3010 -- "$ROOT"/aws-setup/*.template.json || fail "cfn-lint finds faults in the template"
    if ! has npm; then say "skipped: is the template what aws-setup/app.js makes? (no npm)"; return 0; fi
    mkdir -p "$work"
    cp "$ROOT"/aws-setup/package*.json "$ROOT"/aws-setup/app.js "$work/"
    (cd "$work" && npm ci --ignore-scripts --no-audit --no-fund >&2 && node app.js "$work" >&2) ||
        fail "the templates cannot be synthesised"
    for name in lambdafs bench; do
        cmp "$work/$name.template.json" "$ROOT/aws-setup/$name.template.json" ||
            fail "aws-setup/$name.template.json is not what aws-setup/app.js makes: run npm run synth there"
    done
}

test_aws() {
    aws_tools || fail "moto and cfn-lint cannot be installed: python3 with venv and pip, and the way to its packages, are needed"
    test_template
    need_build_tools
    (cd "$ROOT" && mvn -q -B test -pl platform/aws -am -Dtest='StacksTest,LambdaPlatformTest,ImageArchiveTest' \
        -Dsurefire.failIfNoSpecifiedTests=false -Dspotless.check.skip=true \
        -Dlambdafs.moto="$ROOT/target/aws-tools/bin/moto_server") || fail "the tests on moto's AWS fail"
    say "stacks and functions were made and removed on moto's AWS; the template is what aws-setup makes, and cfn-lint finds no fault"
}
