package import JSON

/// What a device says to the cloud with its token, and what it gets.
package struct CloudActivation: Sendable, Equatable {
    package var region: String
    package var token: String
    package var secret: String
    package var uuid: String
    /// The product's key.
    package var product: String

    package init(region: String, token: String, secret: String, uuid: String, product: String) {
        self.region = region
        self.token = token
        self.secret = secret
        self.uuid = uuid
        self.product = product
    }

    /// With the 14 characters that the device was sent; nil where there are not as many.
    package init?(token text: String, uuid: String, product: String) {
        let letters = Array(text)
        guard letters.count == 14 else { return nil }
        self.init(
            region: String(letters[..<2]),
            token: String(letters[2..<10]),
            secret: String(letters[10...]),
            uuid: uuid,
            product: product
        )
    }

    /// The body of `POST /sim/activate`.
    package var json: JSON {
        [
            "region": .string(region), "token": .string(token), "secret": .string(secret), "uuid": .string(uuid),
            "product": .string(product),
        ]
    }

    /// Reads ``json``.
    package init?(json: JSON) {
        guard let region = json["region"]?.stringValue, let token = json["token"]?.stringValue,
            let secret = json["secret"]?.stringValue, let uuid = json["uuid"]?.stringValue,
            let product = json["product"]?.stringValue
        else {
            return nil
        }
        self.init(region: region, token: token, secret: secret, uuid: uuid, product: product)
    }

    /// Why a device was refused.
    package enum Refusal: String, Error, Sendable, Equatable {
        case badRequest = "bad_request"
        case tokenUnknown = "token_unknown"
        case tokenExpired = "token_expired"
        case tokenUsed = "token_used"
        /// Another account has the device; the token's list of failures says so, too.
        case boundElsewhere = "bound_elsewhere"
        /// As asked for by ``CloudHouse/activationRefusals``; the token's list of failures says so, too.
        case refused
    }

    /// Who the device is from then on.
    package struct Result: Sendable, Equatable {
        package var deviceID: String
        /// 16 characters.
        package var localKey: String
        package var name: String

        package init(deviceID: String, localKey: String, name: String) {
            self.deviceID = deviceID
            self.localKey = localKey
            self.name = name
        }

        /// The answer to `POST /sim/activate`: `{"success":true,"devId","localKey","name"}`.
        package var json: JSON {
            [
                "success": true, "devId": .string(deviceID), "localKey": .string(localKey), "name": .string(name),
            ]
        }

        /// Reads ``json``; nil for a refusal, `{"success":false,"error":"token_expired"}`.
        package init?(json: JSON) {
            guard json["success"]?.boolValue == true, let id = json["devId"]?.stringValue,
                let key = json["localKey"]?.stringValue
            else {
                return nil
            }
            self.init(deviceID: id, localKey: key, name: json["name"]?.stringValue ?? "")
        }
    }
}
